/** What the platform's engine is behind: see "imports" in package.json. */
declare module '#http-engine' {
  export const createEngine: import('./engine.js').EngineModule['createEngine'];
}

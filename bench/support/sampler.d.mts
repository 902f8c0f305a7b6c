/** What a sample finds in its environment, of what the runner has; `profile` is the file for a CPU profile. */
export function environmentOf(env: NodeJS.ProcessEnv, profile?: string): NodeJS.ProcessEnv;

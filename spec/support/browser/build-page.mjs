import { execFileSync } from 'node:child_process';

/** Builds the page once, before the specs that look at it. It is built on the package as it was built last. */
export default () => {
  execFileSync(process.execPath, ['--import', 'tsx', 'examples/web/build.ts'], { stdio: 'inherit' });
};

// A process that is told to end while its last server is forgotten: `told-to-end.ts <signal>`. It says so, and stays.
import { liveGroups } from '../../../src/transport/stdio/live-groups.js';

const signal = process.argv[2] as NodeJS.Signals;

const forget = liveGroups.add({ killNow: () => undefined });
process.stdin.resume();
// It has come before the function returns. What listens is told when the event loop gets there.
process.kill(process.pid, signal);
forget();
console.log('told');

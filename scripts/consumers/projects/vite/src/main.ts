// A page that Vite builds: it calls its server itself, and a worker of it does.
import { bake } from './bake.js';

const show = (id: string, text: string): void => {
  const output = document.getElementById(id);
  if (output !== null) output.textContent = text;
};

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.addEventListener('message', ({ data }) => show('worker', String(data)));
worker.postMessage(location.origin);

show('page', await bake(location.origin));

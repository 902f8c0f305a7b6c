import { bake } from './bake.js';

addEventListener('message', ({ data }) => {
  bake(String(data)).then(
    (text) => postMessage(text),
    (error: unknown) => postMessage(String(error)),
  );
});

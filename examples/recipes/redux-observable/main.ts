// The smallest page that shows the store; yours has a framework for this.
import { store } from './store.js';

const app = document.getElementById('app');
if (app === null) throw new Error('there is no #app');
app.innerHTML = `
  <main>
    <ul></ul>
    <button>Bake three</button> <button>Bake many</button> <button>Stop</button>
    <progress aria-label="Loaves"></progress>
    <output></output>
  </main>`;
const [three, many, stop] = app.querySelectorAll('button');
three?.addEventListener('click', () => store.dispatch({ type: 'bakery/wished', loaves: 3 }));
many?.addEventListener('click', () => store.dispatch({ type: 'bakery/wished', loaves: 10_000 }));
stop?.addEventListener('click', () => store.dispatch({ type: 'bakery/stopped' }));

const list = app.querySelector('ul');
const bar = app.querySelector('progress');
const output = app.querySelector('output');

const render = (): void => {
  const { tools, baking } = store.getState();
  list?.replaceChildren(...tools.map((name) => Object.assign(document.createElement('li'), { textContent: name })));
  if (bar !== null) Object.assign(bar, { value: baking.progress, max: baking.total });
  if (output === null) return;
  output.textContent = baking.text;
  output.dataset['status'] = baking.status;
};

store.subscribe(render);
render();

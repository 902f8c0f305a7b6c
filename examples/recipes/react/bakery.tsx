import { useState } from 'react';
import { of, type Observable } from 'rxjs';
import { bake, type Baking, IDLE, tools$ } from '../bakery.js';
import { useObservable } from './use-observable.js';

const idle$: Observable<Baking> = of(IDLE);

/** A call belongs to the click that asked for it: in strict mode an effect runs twice as the component is mounted. */
export const Bakery = () => {
  const tools = useObservable(tools$, []);
  const [call$, setCall] = useState(idle$);
  const { status, progress, total, text } = useObservable(call$, IDLE);

  return (
    <main>
      <ul>
        {tools.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <button onClick={() => setCall(bake(3))}>Bake three</button>
      <button onClick={() => setCall(bake(10_000))}>Bake many</button>
      {/* Another Observable takes the place of the call, which is thereby cancelled. */}
      <button onClick={() => setCall(idle$)}>Stop</button>
      <progress value={progress} max={total} aria-label="Loaves" />
      <output data-status={status}>{text}</output>
    </main>
  );
};

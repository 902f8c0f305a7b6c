// A page on rx-mcp: RxJS, and no framework. Each part is an Observable: to subscribe is to show it.
import { catchError, EMPTY, merge, switchMap } from 'rxjs';
import { calls } from './calls.js';
import { connection$ } from './connection.js';
import { failure, status } from './status.js';
import { ToolList } from './tools.js';
import { wire } from './wire.js';

connection$
  .pipe(
    switchMap((connected) => {
      if (connected === undefined) return EMPTY;
      if ('problem' in connected) return failure(connected.problem);
      const { client, url } = connected;
      const tools = new ToolList();
      // The wire first, or the first frames would be missed.
      return merge(wire(client), status(client, url), calls(client, url, tools.wanted$), tools.follow(client)).pipe(
        // What goes wrong with one server is over when somebody connects with the next.
        catchError((reason: unknown) => failure(reason)),
      );
    }),
  )
  .subscribe({ error: (reason: unknown) => console.error(reason) });

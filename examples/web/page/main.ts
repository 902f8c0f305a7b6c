// A page on rx-mcp: RxJS, and no framework. Each part is an Observable: to subscribe is to show it.
import { EMPTY, merge, switchMap } from 'rxjs';
import { calls } from './calls.js';
import { connection$ } from './connection.js';
import { status } from './status.js';
import { ToolList } from './tools.js';
import { wire } from './wire.js';

connection$
  .pipe(
    switchMap((connected) => {
      if (connected === undefined) return EMPTY;
      const { client, url } = connected;
      const tools = new ToolList();
      // The wire first, or the first frames would be missed.
      return merge(wire(client), status(client, url), calls(client, url, tools.wanted$), tools.follow(client));
    }),
  )
  .subscribe({ error: (reason: unknown) => console.error(reason) });

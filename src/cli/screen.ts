import type { Io } from './io.js';
import { jsonText } from './text/clean.js';
import { type Part, render } from './text/paint.js';

/** What is drawn at the bottom of the terminal while lines are written above it. */
export interface Footer {
  /** Writes a whole line, or several, above. */
  above(text: string): void;
}

/** How the user wants things shown. */
export interface ScreenOptions {
  /** False forbids colours; true allows them where there is a terminal. */
  readonly colour: boolean;
}

const mayColour = ({ env }: Io, stream: Io['stdout']): boolean =>
  stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

/** How wide a terminal is; 80 where nobody knows. */
export const columnsOf = ({ columns = 0 }: Io['stdout']): number => (columns > 0 ? columns : 80);

/** What the user wants in place of that, as POSIX has it; 0 where nothing was said. */
const wantedColumns = ({ env }: Io): number =>
  /^[1-9]\d{0,4}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;

/** Where everything that the command says is written: results to stdout, all else to stderr. All text is cleaned here. */
export class Screen {
  readonly #io: Io;
  readonly #colours: { readonly out: boolean; readonly err: boolean };
  readonly #footers: Footer[] = [];

  constructor(io: Io, { colour }: ScreenOptions) {
    this.#io = io;
    this.#colours = { out: colour && mayColour(io, io.stdout), err: colour && mayColour(io, io.stderr) };
  }

  /** Whether somebody can be asked something: what is typed comes from a terminal, and what is asked goes to one. */
  get interactive(): boolean {
    return this.#io.stdin.isTTY === true && this.live;
  }

  /** Whether something can be drawn that changes. */
  get live(): boolean {
    return this.#io.stderr.isTTY === true && this.#io.env['TERM'] !== 'dumb';
  }

  /** How many columns there are for a table. What goes into a file or another program is cut only where `COLUMNS` says so. */
  get columns(): number {
    const { stdout } = this.#io;
    if (stdout.isTTY === true) return Math.min(columnsOf(stdout), 120);
    const wanted = wantedColumns(this.#io);
    return wanted === 0 ? Number.POSITIVE_INFINITY : wanted;
  }

  /** Writes a result as it is; end it with a line feed. */
  write(...parts: readonly Part[]): void {
    this.#io.stdout.write(render(parts, this.#colours.out));
  }

  /** Writes a line of a result. */
  out(...parts: readonly Part[]): void {
    this.write(...parts, '\n');
  }

  /** Writes a line that is no result, above what is drawn at the bottom. */
  err(...parts: readonly Part[]): void {
    const rendered = render(parts, this.#colours.err);
    const text = rendered.endsWith('\n') ? rendered : `${rendered}\n`;
    const footer = this.#footers.at(-1);
    if (footer === undefined) this.#io.stderr.write(text);
    else footer.above(text);
  }

  /** Asks for something in the line in which the answer is typed. */
  ask(...parts: readonly Part[]): string {
    return render(parts, this.#colours.err);
  }

  /** Writes a value as JSON: in many lines for a person who asked for it, or in one. */
  json(value: unknown, indent?: number): void {
    this.#io.stdout.write(`${jsonText(value, indent)}\n`);
  }

  /** Has lines written above something, until the returned function is called. The latest is the one that counts. */
  keepBelow(footer: Footer): () => void {
    this.#footers.push(footer);
    return () => {
      const index = this.#footers.indexOf(footer);
      if (index >= 0) this.#footers.splice(index, 1);
    };
  }
}

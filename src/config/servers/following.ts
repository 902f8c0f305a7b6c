import {
  AsyncSubject,
  BehaviorSubject,
  defer,
  distinctUntilChanged,
  firstValueFrom,
  type Observable,
  Subject,
  Subscription,
  takeUntil,
} from 'rxjs';
import { messageOf } from '../../errors/index.js';
import { loadConfig, type LoadedConfig, type LoadOptions } from '../load-config.js';
import type { ConfigProblem } from '../problem.js';
import type { Fleet } from './fleet.js';
import type { Plan } from './reconcile.js';
import { Turns } from './turns.js';
import { watchFile, type WatchTerms } from './watch-file.js';

/** What a reading of the config did to the servers, by their keys. */
export interface Reloaded extends Plan {
  /** What is not as it should be in the config. */
  readonly problems: readonly ConfigProblem[];
}

/** Whether the whole of a config could not be read: what is wrong with one server says which. */
const isUnread = ({ entries, problems }: Pick<LoadedConfig, 'entries' | 'problems'>): boolean =>
  entries.length === 0 && problems.some(({ level, server }) => level === 'error' && server === undefined);

/** Has the servers follow their config: reads it, and again whenever it is told to, or the file changes. */
export class Following {
  readonly #source: string | URL | object;
  readonly #options: LoadOptions;
  readonly #fleet: Fleet;
  readonly #turns = new Turns(() => this.#read());
  readonly #busy = new BehaviorSubject(false);
  readonly #first = new AsyncSubject<never>();
  readonly #halted = new Subject<void>();
  readonly #reloads = new Subject<Reloaded>();
  readonly #watching = new Subscription();
  #wasRead = false;
  #isOver = false;
  #problems: readonly ConfigProblem[] = [];
  #disabled: readonly string[] = [];
  #unwatched: ConfigProblem | undefined;

  /** Whether the config is being read, or is to be: at once, and after each change. Completes with {@link close}. */
  readonly busy$: Observable<boolean> = this.#busy.pipe(distinctUntilChanged());
  /** Completes when the config was read for the first time, or never will be. */
  readonly opened$: Observable<never> = this.#first.asObservable();
  /** What each reading after the first has done. Hot, without replay; completes with {@link close}. */
  readonly reloads$: Observable<Reloaded> = this.#reloads.asObservable();

  constructor(source: string | URL | object, options: LoadOptions, fleet: Fleet) {
    this.#source = source;
    this.#options = options;
    this.#fleet = fleet;
  }

  /** What was wrong with the config when it was last read, and whether it cannot be watched. */
  get problems(): readonly ConfigProblem[] {
    return this.#unwatched === undefined ? this.#problems : [...this.#problems, this.#unwatched];
  }

  /** The keys of the entries that are switched off. */
  get disabled(): readonly string[] {
    return this.#disabled;
  }

  /** Reads the config whenever the file changes from now on. */
  watch(file: string, terms: WatchTerms): void {
    this.#watching.add(
      watchFile(file, terms).subscribe({
        next: ({ problem }) => {
          if (problem === undefined) {
            this.#unwatched = undefined;
            void this.read();
          } else {
            const message = `${file} is not watched: ${problem}: have it read by reload() after a change`;
            this.#unwatched = { level: 'warning', path: '', message };
          }
        },
        error: () => undefined,
      }),
    );
  }

  /**
   * Reads the config, and has the servers follow it. Resolves when that is done; never rejects. One reading comes after
   * another; those that wait are one.
   */
  async read(): Promise<Reloaded> {
    if (this.#isOver) return this.#nothing();
    this.#busy.next(true);
    const reloaded = await this.#turns.take();
    this.#busy.next(this.#turns.isBusy);
    return reloaded;
  }

  /** Lets the config alone from now on; what is being read is given up. */
  close(): void {
    this.#isOver = true;
    this.#watching.unsubscribe();
    this.#halted.next();
    this.#first.complete();
    this.#reloads.complete();
    this.#busy.complete();
  }

  async #read(): Promise<Reloaded> {
    const loaded = this.#isOver ? undefined : await this.#load();
    if (loaded === undefined || this.#isOver) return this.#nothing();
    this.#problems = loaded.problems;
    const isReload = this.#wasRead;
    this.#wasRead = true;
    const reloaded = isUnread(loaded) ? this.#nothing() : await this.#follow(loaded);
    this.#first.complete();
    if (isReload) this.#reloads.next(reloaded);
    return reloaded;
  }

  async #follow({ entries }: Pick<LoadedConfig, 'entries'>): Promise<Reloaded> {
    this.#disabled = entries.filter(({ state }) => state === 'disabled').map(({ key }) => key);
    const { plan, done } = this.#fleet.apply(entries);
    await done;
    return { ...plan, problems: this.problems };
  }

  /** Nothing where it was given up. */
  async #load(): Promise<Pick<LoadedConfig, 'entries' | 'problems'> | undefined> {
    const loaded$ = defer(() => loadConfig(this.#source, this.#options)).pipe(takeUntil(this.#halted));
    try {
      return await firstValueFrom(loaded$, { defaultValue: undefined });
    } catch (error) {
      // A config that is an object may throw when it is looked at.
      return { entries: [], problems: [{ level: 'error', path: '', message: messageOf(error) }] };
    }
  }

  #nothing(): Reloaded {
    const kept = [...this.#fleet.servers.keys()];
    return { added: [], removed: [], restarted: [], kept, problems: this.problems };
  }
}

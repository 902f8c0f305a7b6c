import { sha256Of } from '../../client/sha256.js';
import { isObject } from '../../jsonrpc/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import type { CallFormat } from '../formats/index.js';
import { WayBack } from '../way-back.js';
import { joined, type Mount, type Place } from './mount.js';

/** The tools of a mount, as they were given; `undefined` where they are not known. */
export type MountList = readonly Tool[] | undefined;

/** What one mount has under a name: more than one tool, if it calls several the same. */
interface Claim {
  readonly place: Place;
  readonly tools: Tool[];
}

const hashOf = ({ mount, name }: Place, attempt: number): string =>
  sha256Of(JSON.stringify([mount.prefix, name, attempt])).slice(0, 8);

/** How long a name may be that is whole: no API of a model takes a longer one. */
const LONGEST_WHOLE = 64;

/** The name of one of several that have the same. */
const toldApart = (place: Place, name: string, separator: string, attempt: number): string => {
  const hash = hashOf(place, attempt);
  const room = place.mount.whole === undefined ? name.length : LONGEST_WHOLE - separator.length - hash.length;
  return `${name.slice(0, room)}${separator}${hash}`;
};

/** A tool that can be named; `undefined` for what is none, which is to cost the others nothing. */
const copyOf = (tool: unknown): Tool | undefined => {
  try {
    if (!isObject(tool)) return undefined;
    const copy = { ...tool };
    return typeof copy['name'] === 'string' && copy['name'] !== '' ? (copy as unknown as Tool) : undefined;
  } catch {
    return undefined;
  }
};

const claimsOf = (
  mounts: readonly Mount[],
  lists: readonly MountList[],
  separator: string,
): ReadonlyMap<string, Claim[]> => {
  const claims = new Map<string, Claim[]>();
  for (const [index, mount] of mounts.entries()) {
    for (const given of lists[index] ?? []) {
      const tool = copyOf(given);
      if (tool === undefined) continue;
      const name = joined(mount, separator, tool.name);
      const claimed = claims.get(name) ?? [];
      claims.set(name, claimed);
      // Of two that one provider calls the same, both are listed: who declares them chooses, as for a client.
      const own = claimed.find(({ place }) => place.mount === mount);
      if (own === undefined) claimed.push({ place: { mount, name: tool.name }, tools: [tool] });
      else own.tools.push(tool);
    }
  }
  return claims;
};

/** The tools of several mounts under their names, each name with an exact way back. */
export class Published {
  /** All tools that can be named. */
  readonly tools: readonly Tool[];
  readonly #places = new Map<string, Place>();
  readonly #wayBack: WayBack;
  readonly #mounts: readonly Mount[];
  readonly #lists: readonly MountList[];

  /** Use {@link Published.of}, which makes nothing anew that is the same. */
  constructor(mounts: readonly Mount[], lists: readonly MountList[], separator: string) {
    this.#mounts = mounts;
    this.#lists = lists;
    const claims = claimsOf(mounts, lists, separator);
    this.tools = [...claims].flatMap(([name, claimed]) =>
      claimed.flatMap(({ place, tools }) => {
        let own = name;
        // Two providers may come to one name by different prefixes: each is told apart, whichever came first.
        for (let attempt = 0; claimed.length > 1 && (own === name || this.#places.has(own)); attempt += 1) {
          const apart = toldApart(place, name, separator, attempt);
          // A tool that is really called so keeps its name.
          if (!claims.has(apart)) own = apart;
        }
        this.#places.set(own, place);
        return tools.map((tool) => ({ ...tool, name: own }));
      }),
    );
    this.#wayBack = new WayBack(this.#places.keys());
  }

  /** What is published of these lists: `before`, with the same array of tools, if that is made of the same ones. */
  static of(
    mounts: readonly Mount[],
    lists: readonly MountList[],
    separator: string,
    before: Published | undefined,
  ): Published {
    const isSame =
      before !== undefined &&
      before.#mounts.length === mounts.length &&
      mounts.every((mount, index) => mount === before.#mounts[index] && lists[index] === before.#lists[index]);
    return isSame ? before : new Published(mounts, lists, separator);
  }

  /** The list that was given for a mount. */
  listOf(mount: Mount): MountList {
    return this.#lists[this.#mounts.indexOf(mount)];
  }

  /** The tool that was published under a name. */
  place(name: string): Place | undefined {
    return this.#places.get(name);
  }

  /** The name here of what a model of this format calls so; the name itself where there is none. */
  rawName(name: string, format: CallFormat): string {
    return this.#wayBack.find(name, format) ?? name;
  }

  /** Whether the other has the same names, for tools under the same prefixes. */
  hasSameNames(other: Published): boolean {
    return (
      this.#places.size === other.#places.size &&
      [...this.#places].every(([name, { mount }]) => other.#places.get(name)?.mount.prefix === mount.prefix)
    );
  }
}

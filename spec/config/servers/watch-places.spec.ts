import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { watchPlaces } from '../../../src/config/servers/watch-places.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const placeOf = (path: string) => ({ folder: parse(path).dir, name: parse(path).base });

describe('where a file is watched', () => {
  it('is its folder, whether the file is there or not, and the folder above', () => {
    const home = temporaryFolder();
    const file = join(home, 'a.json');
    expect(watchPlaces(file)).toEqual([placeOf(file), placeOf(home)]);
    writeFileSync(file, '');
    expect(watchPlaces(file)).toEqual([placeOf(file), placeOf(home)]);
  });

  it('is the nearest folder above where its own is not there', () => {
    const home = temporaryFolder();
    const file = join(home, 'b', 'c', 'a.json');
    expect(watchPlaces(file)).toEqual([placeOf(join(home, 'b')), placeOf(home)]);
    writeFileSync(join(home, 'b'), 'a file in place of a folder');
    expect(watchPlaces(file)).toEqual([placeOf(join(home, 'b')), placeOf(home)]);
    expect(watchPlaces(join(home, 'd', 'a.json'))).toEqual([placeOf(join(home, 'd')), placeOf(home)]);
  });

  it('is also the folder of what it points to, over every link', () => {
    const home = temporaryFolder();
    const [there, link, file] = [join(home, 'there'), join(home, 'link.json'), join(home, 'a.json')];
    mkdirSync(there);
    symlinkSync(join('there', 'real.json'), link);
    symlinkSync(link, file);
    const places = watchPlaces(file);
    for (const path of [file, link, join(there, 'real.json'), there]) expect(places).toContainEqual(placeOf(path));
  });

  it('is found where links go in a circle', () => {
    const home = temporaryFolder();
    symlinkSync('b.json', join(home, 'a.json'));
    symlinkSync('a.json', join(home, 'b.json'));
    expect(watchPlaces(join(home, 'a.json'))).toContainEqual({ folder: home, name: 'b.json' });
  });

  it('is nowhere for the root', () => {
    const { root } = parse(temporaryFolder());
    expect(watchPlaces(root)).toEqual([]);
    expect(watchPlaces(join(root, 'a.json'))).toEqual([{ folder: root, name: 'a.json' }]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { changedBy, readsOf, type Want } from '../../src/client/wants.js';
import { filterOf, isAbout, isServed, keyOf, nameOf } from '../../src/client/want-terms.js';

const uri = (of: string): Want => ({ uri: of });

describe('the filter of what is wanted', () => {
  it('has a switch for each list, and the URIs of the resources', () => {
    expect(filterOf([])).toEqual({});
    expect(filterOf(['tools'])).toEqual({ toolsListChanged: true });
    expect(filterOf(['prompts', 'resources'])).toEqual({ promptsListChanged: true, resourcesListChanged: true });
    expect(filterOf([uri('a:1'), 'tools', uri('a:2')])).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a:1', 'a:2'],
    });
  });

  it('is the same, to the letter, for the same wants in another order', () => {
    const wants: Want[] = [uri('b:1'), 'resources', uri('a:1'), 'tools', 'prompts'];
    const text = JSON.stringify(filterOf(wants));
    expect(JSON.stringify(filterOf([...wants].reverse()))).toBe(text);
    expect(JSON.stringify(filterOf([...wants].sort()))).toBe(text);
  });
});

describe('a filter the server agreed to', () => {
  it.each<[Want, object, boolean]>([
    ['tools', { toolsListChanged: true }, true],
    ['tools', { toolsListChanged: false }, false],
    ['tools', { toolsListChanged: 'yes' }, false],
    ['tools', { promptsListChanged: true }, false],
    ['tools', {}, false],
    [uri('a:1'), { resourceSubscriptions: ['a:2', 'a:1'] }, true],
    [uri('a:1'), { resourceSubscriptions: ['a:11'] }, false],
    [uri('a:1'), { resourceSubscriptions: 'a:1' }, false],
    [uri('a:1'), {}, false],
  ])('%j: %j serves it: %p', (want, filter, expected) => {
    expect(isServed(want, filter)).toBe(expected);
  });
});

describe('a notification', () => {
  const updated = (of: unknown) => ({ method: 'notifications/resources/updated', params: { uri: of } });

  it.each<[Want, { method: string; params?: Record<string, unknown> }, boolean]>([
    ['tools', { method: 'notifications/tools/list_changed' }, true],
    ['prompts', { method: 'notifications/tools/list_changed' }, false],
    ['resources', { method: 'notifications/resources/list_changed' }, true],
    ['resources', updated('a:1'), false],
    [uri('file:///d'), updated('file:///d'), true],
    [uri('file:///d'), updated('file:///d/e.txt'), true],
    [uri('file:///d/'), updated('file:///d/e.txt'), true],
    [uri('file:///d'), updated('file:///dd'), false],
    [uri('file:///d/e.txt'), updated('file:///d'), false],
    [uri('file:///d'), updated(5), false],
    [uri('file:///d'), { method: 'notifications/resources/updated' }, false],
    [uri('file:///d'), { method: 'notifications/resources/list_changed', params: { uri: 'file:///d' } }, false],
  ])('of %j: %j tells of it: %p', (want, notification, expected) => {
    expect(isAbout(want, notification)).toBe(expected);
  });

  it('says what has changed, or no such thing', () => {
    expect(changedBy({ method: 'notifications/tools/list_changed' })).toBe('tools');
    expect(changedBy({ method: 'notifications/prompts/list_changed' })).toBe('prompts');
    expect(changedBy({ method: 'notifications/resources/list_changed' })).toBe('resources');
    expect(changedBy(updated('a:1'))).toEqual({ uri: 'a:1' });
    expect(changedBy(updated(undefined))).toBeUndefined();
    expect(changedBy({ method: 'notifications/roots/list_changed' })).toBeUndefined();
    expect(changedBy({ method: 'notifications/message' })).toBeUndefined();
  });
});

describe('a want', () => {
  it('has a key of its own: no URI is taken for a list', () => {
    const wants: Want[] = ['tools', 'prompts', 'resources', uri('tools'), uri('a:1')];
    expect(new Set(wants.map(keyOf)).size).toBe(wants.length);
    expect(keyOf(uri('a:1'))).toBe(keyOf(uri('a:1')));
  });

  it('has a name for people', () => {
    expect([nameOf('tools'), nameOf(uri('a:1'))]).toEqual(['the list of tools', 'the resource a:1']);
  });

  it('is read by one method, or two', () => {
    expect(readsOf('tools')).toEqual([{ method: 'tools/list' }]);
    expect(readsOf('prompts')).toEqual([{ method: 'prompts/list' }]);
    expect(readsOf('resources')).toEqual([{ method: 'resources/list' }, { method: 'resources/templates/list' }]);
    expect(readsOf(uri('a:1'))).toEqual([{ method: 'resources/read', uri: 'a:1' }]);
  });
});

import { combineEpics, type Epic, ofType } from 'redux-observable';
import { map, switchMap, takeUntil } from 'rxjs';
import { bake, tools$ } from '../bakery.js';
import type { BakeryAction, Wished } from './actions.js';
import type { BakeryState } from './store.js';

type BakeryEpic = Epic<BakeryAction, BakeryAction, BakeryState>;

/** The list of the tools, for as long as the store lives. */
const listEpic: BakeryEpic = () => tools$.pipe(map((tools) => ({ type: 'bakery/listed', tools })));

/** A wish begins a call, in place of the one before; `bakery/stopped` unsubscribes from it, and so cancels it. */
const bakeEpic: BakeryEpic = (action$) =>
  action$.pipe(
    ofType<BakeryAction, 'bakery/wished', Wished>('bakery/wished'),
    switchMap(({ loaves }) => bake(loaves).pipe(takeUntil(action$.pipe(ofType('bakery/stopped'))))),
    map((baking) => ({ type: 'bakery/reported', baking })),
  );

export const bakeryEpic = combineEpics(listEpic, bakeEpic);

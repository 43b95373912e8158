// The buyer's session and what it holds.

import { get, post, remove } from './api.js';
import { authToken } from './auth.js';
import { secondsUntil } from './clock.js';
import {
  beginCheckout,
  getLiveSession,
  holdBestAvailable,
  holdPlaces,
  leaveSession,
  releaseHold
} from './operations.js';

export const unitCount = (unit) => unit.quantity ?? 1; // a table is as many places as it has
export const unitId = (unit) => unit.seat || unit.area;

export class Basket {
  constructor(session) {
    this.session = session;
  }

  /** Reads the live session with its credential and holds; throws `not-found` when there is none. */
  static async live(event, signal) {
    return new Basket(await get(getLiveSession(event), { token: authToken(), retry: true, signal }));
  }

  /** Reads the live session, or returns null when there is none. */
  static async liveOrNull(event, signal) {
    try {
      return await Basket.live(event, signal);
    } catch (error) {
      if (error.code !== 'not-found') throw error;
      return null;
    }
  }

  get keys() {
    return { token: authToken(), credential: this.session.credential };
  }
  get holds() {
    return this.session.holds;
  }
  get units() {
    return this.holds.flatMap((hold) => hold.units);
  }
  get count() {
    return this.units.reduce((sum, unit) => sum + unitCount(unit), 0);
  }
  get spare() {
    return this.session.hold_limit - this.count;
  }
  get secondsLeft() {
    return secondsUntil(this.session.expires_at);
  }

  /** Returns the event at the prices that this session began with, whatever has been edited since. */
  agreed(event) {
    return { ...event, tiers: this.session.tiers, fees: this.session.fees };
  }

  /** Adds up all that there is to pay, in minor units: tickets, their fees, and the order's own. */
  total(event, tiers) {
    const whole = (unit) => unitCount(unit) * (tiers.get(unit.tier)?.whole_minor ?? 0);
    return this.units.reduce((sum, unit) => sum + whole(unit), this.count && event.fees.order_minor);
  }

  has(seat) {
    return this.units.some((unit) => unit.seat === seat);
  }

  add(hold) {
    if (!this.holds.some((other) => other.hold === hold.hold)) this.session.holds = [...this.holds, hold];
    return hold;
  }

  async hold(wish) {
    return this.add(await post(holdPlaces(this.session.session), wish, this.keys));
  }

  async best(wish) {
    return this.add(await post(holdBestAvailable(this.session.session), wish, this.keys));
  }

  async release(hold) {
    try {
      await remove(releaseHold(this.session.session, hold.hold), this.keys);
    } catch (error) {
      if (error.code !== 'not-found') throw error; // already gone is what was asked for
    }
    this.session.holds = this.holds.filter((other) => other.hold !== hold.hold);
  }

  /** `buyer`: the mail address and, where they are asked for, the postal one and the accepted terms. */
  async checkout(buyer, options) {
    const checkout = await post(beginCheckout(this.session.session), buyer, { ...this.keys, ...options });
    this.session.credential = checkout.credential || this.session.credential;
    this.session.expires_at = checkout.expires_at;
    return checkout;
  }

  giveBack() {
    return remove(leaveSession(this.session.session), this.keys);
  }
}

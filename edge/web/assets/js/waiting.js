// The logic of the waiting room: join, solve, sleep until `boff`, ask, and again.
//
// The place is a signed token. It is stored per event and person on this device, so a reload, a
// closed lid, a lost connection or a sign-in that ended costs nothing. It is let go when it has
// opened a session, when the sale is over, and for a new one that is there already.

import { isWhole } from './answers.js';
import { get, OfflineError, post, request } from './api.js';
import { authToken, knownSub, renewSignIn } from './auth.js';
import { syncToEpoch, nowMs, secondsUntil } from './clock.js';
import { nap } from './dom.js';
import { keepPlace, keptPlace } from './kept-place.js';
import { appealLockOut, getLiveSession, joinQueue, requestAdmission } from './operations.js';
import { failedPauseMs } from './pace.js';
import { solve } from './pow.js';
import { explain, ifEnglish } from './problems.js';
import { device } from './store.js';
import { say } from './words.js';

const NAP_MS = 1000; // between looks at the clock: wakes soon after the machine's own sleep
const LEAST_MS = 1000; // between an answer and the next question, whatever the answer says
const PAUSE_S = 5;
const REJOINS_MAX = 3;
const APPEALED_S = 20; // between questions while a person may lift a lock-out at any moment
const SHORT_LIVED_MS = 60000; // a place that lived longer was no futile one

const NETWORK = { 'strange-network': 'strange', 'stripped-request': 'stripped' }; // phases by an error's code

const insideKey = (event, sub) => `inside:${event}:${sub}`;

/**
 * Waits until a session opens, and returns it. Throws ApiProblem for final words (sale-over) and when the sign-in has
 * ended; `report` is called with {phase, place, text} at each change. While the account is locked out, `place.lock` has
 * what the service says of that.
 * Phases: joining, solving, waiting, asking, paused, full, settling, locked, busy, offline, strange, stripped.
 */
export class Waiting {
  constructor(event, report, signal) {
    this.event = event;
    this.report = report;
    this.signal = signal;
    this.sub = knownSub(); // also when the sign-in has just ended: the place is this person's
    this.place = keptPlace(event, this.sub);
    this.rejoins = 0;
    this.failures = 0; // in a row, for which the network is to blame
    this.answeredAt = -LEAST_MS; // by performance.now()
    this.spent = false; // the place is good for nothing more, and a new one is to be had
    this.trouble = null; // {phase, text} of the last failure, shown until an answer comes
    if (this.place?.lock && secondsUntil(this.place.lock.until) > 0) this.trouble = { phase: 'locked' };
  }

  savePlace(place) {
    this.place = place;
    keepPlace(this.event, this.sub, place);
  }

  publish(phase, more) {
    this.report({ phase, place: this.place, ...more });
  }

  async run() {
    while (!this.signal.aborted) {
      try {
        const inside = !this.place && (await this.insideAgain());
        if (inside) return inside;
        if (!this.place || this.spent) await this.join();
        if (this.place.nonce === null) await this.work();
        await this.sleep();
        if (this.signal.aborted) break;
        const session = await this.ask();
        if (session) return session;
      } catch (error) {
        const session = await this.recover(error);
        if (session) return session;
      }
    }
    throw new DOMException('left', 'AbortError');
  }

  /** Sends a request, but not too soon after the answer before. */
  async send(operation, headers) {
    for (let leftMs; (leftMs = this.answeredAt + LEAST_MS - performance.now()) > 0 && !this.signal.aborted; ) {
      await nap(leftMs, this.signal);
    }
    try {
      const answer = await request(operation, { token: authToken(), headers, signal: this.signal });
      this.failures = 0;
      return answer;
    } finally {
      this.answeredAt = performance.now();
    }
  }

  async join() {
    this.publish('joining');
    const { data } = await this.send(joinQueue(this.event));
    syncToEpoch(data.now);
    this.spent = false;
    if (this.trouble?.phase !== 'waiting') this.trouble = null; // what is said of the place before stays
    this.savePlace({
      token: data.token,
      challenge: data.challenge,
      nonce: null,
      boff: data.boff,
      state: data.state,
      sale_starts_at: data.sale_starts_at || null,
      estimate: data.estimate || null,
      joined_ms: nowMs()
    });
  }

  async work() {
    this.publish('solving');
    this.savePlace({ ...this.place, nonce: await solve(this.place.challenge, this.signal) });
  }

  async sleep() {
    const { phase, text, order } = this.trouble || { phase: this.place.state === 'paused' ? 'paused' : 'waiting' };
    this.publish(phase, { text, order });
    while (!this.signal.aborted && secondsUntil(this.place.boff) > 0) {
      await nap(Math.min(NAP_MS, secondsUntil(this.place.boff) * 1000 + 20), this.signal);
    }
  }

  async ask() {
    this.publish('asking');
    const { status, data } = await this.send(requestAdmission(this.event), {
      'x-fairgate-token': this.place.token,
      'x-fairgate-solution': this.place.nonce,
      ...(this.place.slip && { 'x-fairgate-slip': this.place.slip })
    });
    if (status !== 202) return this.letIn(data);
    syncToEpoch(data.now);
    this.rejoins = 0;
    this.trouble = null;
    this.savePlace({
      ...this.place,
      token: data.token || this.place.token,
      slip: data.slip || null,
      lock: null,
      state: data.state,
      boff: data.boff,
      estimate: data.estimate || null
    });
    return null;
  }

  /** Comes back after `seconds`, and shows why until then. */
  later(phase, seconds, text, order) {
    this.trouble = phase === 'waiting' ? null : { phase, text, order };
    const kept = this.place && !this.spent;
    if (kept) this.savePlace({ ...this.place, boff: nowMs() / 1000 + seconds });
    this.publish(phase, { text, order });
    return kept ? null : nap(seconds * 1000, this.signal).then(() => null);
  }

  /** Comes back ever later while something in the network is in the way. */
  strange(phase) {
    return this.later(phase, failedPauseMs(++this.failures) / 1000);
  }

  /** Decides what a failure means: null to go on, a session, or the error itself again. */
  recover(error) {
    if (error.name === 'AbortError') throw error;
    const pause = error.retryAfterS ?? PAUSE_S;
    if (this.place && isWhole('Harder', error.fields)) return this.harder(error.fields);
    if (this.place && isWhole('Postponed', error.fields)) return this.postponed(error.fields);
    if (NETWORK[error.code]) return this.strange(NETWORK[error.code]);
    if (error instanceof OfflineError) return this.later('offline', pause + Math.random() * 2);
    switch (error.code) {
      case 'locked-out':
        return this.lockedOut(error, pause);
      case 'too-early':
        return this.later('waiting', pause);
      case 'too-many-requests':
        return this.later('waiting', pause * (1 + Math.random() / 2)); // not all of a crowd at once again
      case 'dependency-unavailable':
        return this.later('busy', pause * (1 + Math.random() / 2));
      case 'not-admitted':
        if (error.fields.live_session) return this.alreadyInside(error);
        if (error.fields.settling_until && error.retryAfterS !== null)
          return this.later('settling', pause, explain(error), error.fields.order);
        if (error.retryAfterS === null) throw error; // all sessions are used: waiting would not help
        return this.later('full', pause);
      case 'token-redeemed':
      case 'wrong-state':
        return this.alreadyInside(error);
      case 'sign-in-ended':
      case 'unauthenticated':
        return this.signedOut(error);
      case 'waiting-token-ended':
        return this.rejoin(error);
      case 'forbidden':
        // Only with a verdict it is about the place; else the way through the edge was at fault.
        return error.fields.verdict ? this.rejoin(error) : this.later('busy', pause);
      default:
        if (error.status >= 500) return this.later('busy', pause);
        if (error.code === 'sale-over') this.savePlace(null);
        throw error;
    }
  }

  /** Goes on with the same place behind a harder challenge, and shows what was noticed. */
  harder({ token, challenge, boff, noticed }) {
    this.trouble = { phase: 'waiting', text: `${ifEnglish(noticed) || say('wait-noticed')} ${say('wait-break-open')}` };
    this.savePlace({ ...this.place, token, challenge, boff, nonce: null, slip: null, lock: null });
    return null;
  }

  /** Goes on with the same place, which is signed again with the time at which capacity is expected. */
  postponed({ token, boff }) {
    this.trouble = { phase: 'full' };
    this.savePlace({ ...this.place, token, boff, slip: null, lock: null });
    return null;
  }

  /** Goes on asking with the same place, which is signed again: a person may lift the lock-out before its end. */
  lockedOut(error, pause) {
    if (!this.place) throw error;
    const { token, until, by, noticed, appealed } = error.fields;
    const kept = token ? { token, slip: null } : {};
    this.savePlace({ ...this.place, ...kept, lock: { until, by, noticed, appealed } });
    return this.later('locked', pause);
  }

  /** Asks that a person looks at the lock-out, and looks more often itself. Throws where it was not taken. */
  async appeal(text) {
    const send = () =>
      post(appealLockOut(this.event), text ? { text } : {}, { token: authToken(), signal: this.signal });
    try {
      const { until, by, noticed, appealed } = await send().catch(async (error) => {
        if (!error.signedOut || !(await renewSignIn())) throw error;
        return send();
      });
      this.savePlace({ ...this.place, lock: { until, by, noticed, appealed } });
      this.later('locked', APPEALED_S);
    } catch (error) {
      if (error.code !== 'wrong-state') throw error;
      this.savePlace({ ...this.place, boff: nowMs() / 1000 }); // it was lifted, or is over
    }
  }

  /** Goes on when the sign-in could be renewed; otherwise the buyer is asked, and keeps the place. */
  async signedOut(error) {
    if (await renewSignIn()) return null;
    throw error;
  }

  /** Ends the wait with a session, and notes until when a buyer who comes back here belongs in the sale. */
  letIn(session) {
    this.savePlace(null);
    device.set(insideKey(this.event, this.sub), session.expires_at);
    return session;
  }

  liveSession() {
    return get(getLiveSession(this.event), { token: authToken(), retry: true, signal: this.signal });
  }

  /** Finds the session of a buyer who was admitted on this device and came back; null: none. */
  async insideAgain() {
    const until = device.get(insideKey(this.event, this.sub));
    if (until === null) return null;
    try {
      return this.letIn(await this.liveSession());
    } catch (error) {
      // Who has used up their sessions would wait in vain, and is told so each time.
      if (error.code !== 'not-found' || error.fields?.sessions_left === 0) throw error;
      device.set(insideKey(this.event, this.sub), null);
      return null;
    }
  }

  /** Finds the session of a token that was used, perhaps by an answer that was lost. */
  async alreadyInside(error) {
    try {
      return this.letIn(await this.liveSession());
    } catch (missing) {
      if (missing.code === 'not-found') return this.rejoin(error);
      throw missing;
    }
  }

  /** Takes a new token for one that ended or was spent: it has the same draw. Gives up after REJOINS_MAX. */
  rejoin(error) {
    if (this.place && nowMs() - this.place.joined_ms > SHORT_LIVED_MS) this.rejoins = 0;
    if (!this.place || ++this.rejoins > REJOINS_MAX) throw error;
    const early = secondsUntil(this.place.sale_starts_at ?? 0) > 0; // before the sale starts nothing is lost
    if (error.code === 'waiting-token-ended' && !early) this.trouble = { phase: 'waiting', text: say('wait-lapsed') };
    this.spent = true;
    return null;
  }
}

// A word to the room: to all who wait, shop or both, in their languages, until a time.

import { useState } from 'preact/hooks';
import { look } from './acts.js';
import { ActButton, useAct } from './act-form.jsx';
import { at } from './format.js';
import { Button, Card, Field, Loading, Refusal, Said, tell } from './kit.jsx';
import { useLook } from './use-look.js';

const LANGUAGES = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  it: 'Italian',
  nl: 'Dutch',
  pl: 'Polish',
  ja: 'Japanese',
  ar: 'Arabic'
};
const TO = { all: 'all', waiting: 'those who wait', shopping: 'those who shop' };
const TEMPLATES = {
  paused: 'The sale is paused',
  later: 'The sale starts later',
  released: 'More places are free',
  last: 'The last places'
};

export function Word({ event }) {
  const { data, problem, again } = useLook(() => look('event show', { event }), [event]);
  const [texts, setTexts] = useState({});
  const [template, setTemplate] = useState('');
  const [to, setTo] = useState('all');
  const [lasts, setLasts] = useState('30');
  const [tried, setTried] = useState(null);
  const act = useAct('event say');
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;

  const given = () => {
    const others = Object.entries(texts).filter(([language, text]) => language !== 'en' && text.trim());
    const own = { text: texts.en?.trim(), in: others.length ? Object.fromEntries(others) : undefined };
    return { event, to, for: `${lasts}min`, ...(template ? { template } : own) };
  };

  async function send(dryRun) {
    const done = await act.run(given(), dryRun ? { dryRun } : {});
    if (!done) return;
    if (dryRun) {
      setTried(done.said);
      return;
    }
    tell('Every page shows it within 30 seconds.');
    setTried(null);
    setTexts({});
    setTemplate('');
    again();
  }

  return (
    <>
      <div class="head">
        <h1>A word to the room</h1>
        <p class="dim">Every page of the event shows it within 30 seconds. Screen readers speak it.</p>
      </div>
      <div class="board">
        <Card title="Say something">
          <Field label="Prepared text" hint="In all nine languages.">
            {(id, hint) => (
              <select id={id} aria-describedby={hint} value={template} onChange={(e) => setTemplate(e.target.value)}>
                <option value="">Own words</option>
                {Object.entries(TEMPLATES).map(([name, words]) => (
                  <option key={name} value={name}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {!template && (
            <>
              <Words language="en" texts={texts} set={setTexts} />
              <details>
                <summary>In other languages</summary>
                {Object.keys(LANGUAGES)
                  .slice(1)
                  .map((language) => (
                    <Words key={language} language={language} texts={texts} set={setTexts} />
                  ))}
              </details>
            </>
          )}
          <div class="pair">
            <Field label="To">
              {(id) => (
                <select id={id} value={to} onChange={(e) => setTo(e.target.value)}>
                  {Object.entries(TO).map(([name, words]) => (
                    <option key={name} value={name}>
                      {words}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label="For so many minutes">
              {(id) => (
                <input
                  id={id}
                  type="number"
                  min="1"
                  max="1440"
                  value={lasts}
                  onInput={(e) => setLasts(e.target.value)}
                />
              )}
            </Field>
          </div>
          <Refusal problem={act.problem} />
          {tried && <Said lines={tried} />}
          <div class="row buttons">
            <Button main busy={act.busy} disabled={!template && !texts.en?.trim()} onClick={() => send(false)}>
              Say it
            </Button>
            <Button quiet busy={act.busy} disabled={!template && !texts.en?.trim()} onClick={() => send(true)}>
              See it first
            </Button>
          </div>
          {act.dialog}
        </Card>
        <Card title="What is said now">
          {data.message ? (
            <>
              <p>
                To {TO[data.message.to]}, until {at(data.message.until)}:
              </p>
              <dl class="said">
                {Object.entries(data.message.texts).map(([language, words]) => (
                  <div key={language}>
                    <dt class="dim">{LANGUAGES[language] ?? language}</dt>
                    <dd lang={language} dir="auto">
                      {words}
                    </dd>
                  </div>
                ))}
              </dl>
              <ActButton act="event say" args={{ event, off: true }} onDone={again}>
                Take it away
              </ActButton>
            </>
          ) : (
            <p class="dim">Nothing.</p>
          )}
        </Card>
      </div>
    </>
  );
}

function Words({ language, texts, set }) {
  return (
    <Field label={LANGUAGES[language]}>
      {(id) => (
        <textarea
          id={id}
          lang={language}
          dir="auto"
          rows={2}
          maxLength={280}
          value={texts[language] ?? ''}
          onInput={(e) => set((before) => ({ ...before, [language]: e.target.value.replaceAll('\n', ' ') }))}
        />
      )}
    </Field>
  );
}

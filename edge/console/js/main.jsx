// The console: sign-in, the way from screen to screen, and what stands around every screen.

import { signal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { allowed, readAllowed } from './acts.js';
import { at, titled } from './format.js';
import { Bounded, Button, Loading, Notice, Refusal, Told } from './kit.jsx';
import { here, placeOf, route } from './place.js';
import { screenOf, tabsOpen } from './screens.jsx';
import { completeSignIn, ended, signedIn, signIn, signOut } from './session.js';

const trouble = signal(null); // why the sign-in or the rights could not be read
const typed = signal(false); // something was typed on the screen that is shown

addEventListener('hashchange', () => {
  route.value = location.hash;
});

async function enter() {
  trouble.value = null;
  try {
    await completeSignIn();
    if (signedIn.value) await readAllowed();
  } catch (problem) {
    trouble.value = problem;
  }
  route.value = location.hash;
}

function Header() {
  const { roles = [], events = {} } = allowed.value ?? {};
  const mine = [...new Set([...roles, ...(events[here.value] ?? [])])];
  return (
    <header class="top">
      <a class="name" href="#/">
        Fairgate <span class="dim">console</span>
      </a>
      {signedIn.value && (
        <div class="account">
          {mine.map((role) => (
            <span class="role" key={role}>
              {titled(role)}
            </span>
          ))}
          <span class="who dim">
            {signedIn.value.sub} until {at(signedIn.value.expires_at)}
          </span>
          <Button quiet onClick={signOut}>
            Sign out
          </Button>
        </div>
      )}
    </header>
  );
}

function Tabs({ place }) {
  useEffect(() => {
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [place.tab]);
  return (
    <nav class="tabs" aria-label="Event">
      {tabsOpen().map(({ tab, name }) => (
        <a
          key={tab}
          href={`#/e/${encodeURIComponent(place.event)}/${tab}`}
          aria-current={tab === place.tab ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function Screen() {
  const place = placeOf(route.value);
  const { name, Shown } = screenOf(place);
  const key = `${place.event ?? ''}/${place.tab ?? place.page}`;
  const whole = [key, ...place.rest].join('/');
  const first = useRef(true);
  useLayoutEffect(() => {
    typed.value = false;
    document.title = `${place.event ? `${place.event}: ` : ''}${name} · Fairgate console`;
    const main = document.getElementById('main');
    const taken = main?.querySelector('[tabindex="-1"]:focus'); // a heading that the screen itself has moved to
    if (!first.current && !taken) main?.focus({ preventScroll: true });
    first.current = false;
    scrollTo(0, 0);
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [whole]);
  return (
    <>
      {place.event && (
        <div class="head">
          <p class="back">
            <a href="#/">All events</a>
          </p>
          <Tabs place={place} />
        </div>
      )}
      <Bounded key={key}>
        <Shown {...place} />
      </Bounded>
    </>
  );
}

function Welcome() {
  return (
    <div class="card welcome">
      <h1>The console</h1>
      <p>Here organisers prepare a sale, watch it and steer it. Your sign-in says what you may do.</p>
      {ended.value && <Notice tone="info">Your sign-in has ended.</Notice>}
      <Refusal problem={trouble.value} />
      <SignIn />
    </div>
  );
}

const SignIn = () => (
  <Button main onClick={() => signIn().catch((problem) => (trouble.value = problem))}>
    Sign in
  </Button>
);

/** Above a screen on which something was typed: it stays to be read, until somebody signs in here. */
const Ended = () => (
  <div class="ended">
    <Notice tone="warn" title="Your sign-in has ended">
      <p>What you typed below is not sent. Copy it, or sign in in another tab, before you sign in here.</p>
      <Refusal problem={trouble.value} />
      <div class="row buttons">
        <SignIn />
        <a class="button" href={`/console${route.value}`} target="_blank" rel="noreferrer">
          Another tab
        </a>
      </div>
    </Notice>
  </div>
);

function Refused() {
  return (
    <div class="card welcome">
      <h1>You are signed in</h1>
      {trouble.value.status === 403 ? (
        <Notice tone="warn" title="You have no role here">
          <p>{trouble.value.message}</p>
        </Notice>
      ) : (
        <Refusal problem={trouble.value} />
      )}
      <div class="row buttons">
        <Button main onClick={enter}>
          Try again
        </Button>
        <Button onClick={signOut}>Sign in as somebody else</Button>
      </div>
    </div>
  );
}

function Console() {
  const left = ended.value && typed.value;
  let shown = <Welcome />;
  if ((signedIn.value || left) && allowed.value) shown = <Screen />;
  else if (signedIn.value) shown = trouble.value ? <Refused /> : <Loading />;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById('main').focus())}>
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1} onInput={() => (typed.value = true)}>
        {left && <Ended />}
        {shown}
      </main>
      <Told />
    </>
  );
}

const root = document.getElementById('console');
root.replaceChildren();
render(<Console />, root);
enter();

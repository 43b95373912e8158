// The parts that all screens are made of.

import { signal } from '@preact/signals';
import { useEffect, useErrorBoundary, useId, useRef } from 'preact/hooks';
import { timed } from './format.js';

/** A state in words, with a shape beside the colour. `tone`: good, warn, bad, info. */
export const Badge = ({ tone = 'info', children }) => <span class={`badge ${tone}`}>{children}</span>;

/** What happened, with what to do. Problems are spoken at once. */
export function Notice({ tone = 'info', title, children }) {
  return (
    <div class={`note ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <div>
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

const lineOf = (one) =>
  typeof one === 'string' ? one : (one.detail ?? [one.where, one.what].filter(Boolean).join(': '));

/** What a refusal says, and how each of its reasons reads. */
export function Refusal({ problem }) {
  if (!problem) return null;
  const { reasons, errors } = problem.fields ?? {};
  const lines = [reasons, errors].filter(Array.isArray).flat().map(lineOf);
  return (
    <Notice tone="bad">
      <p>{problem.message}</p>
      {lines.filter(Boolean).length > 0 && (
        <ul>
          {lines.filter(Boolean).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Why what is shown is no newer. */
export const NoNewer = ({ problem }) => (
  <Refusal problem={problem && { ...problem, message: `No newer figures: ${problem.message}` }} />
);

/** A part of the page that fails by itself: what stands around it goes on. */
export function Bounded({ children }) {
  const [broken] = useErrorBoundary();
  if (!broken) return children;
  return (
    <Notice tone="bad" title="This cannot be shown">
      <p>Something in what the service answered is not as the console expects it. The command line shows the same.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </Notice>
  );
}

/** A figure with its name and a comparison. */
export const Tile = ({ name, value, more, tone }) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd class="figure">{value}</dd>
    {more && <dd class={tone ? `more ${tone}` : 'more'}>{more}</dd>}
  </div>
);

export function Card({ title, aside, children, wide }) {
  const id = useId();
  return (
    <section class={wide ? 'card wide' : 'card'} aria-labelledby={id}>
      <div class="row">
        <h2 id={id}>{title}</h2>
        {aside && <span class="push dim">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

/** A control with its label and a hint; `children(id)` makes the control. */
export function Field({ label, hint, error, children }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hint || error ? `${id}-hint` : undefined)}
      {(hint || error) && (
        <small id={`${id}-hint`} class={error ? 'wrong' : 'dim'}>
          {error || hint}
        </small>
      )}
    </div>
  );
}

/** A button that says what it waits for, and cannot be pressed twice. Disabled, it keeps the focus. */
export const Button = ({ busy, disabled, main, quiet, children, class: more, onClick, ...rest }) => (
  <button
    type="button"
    {...rest}
    class={`${main ? 'primary ' : ''}${quiet ? 'quiet ' : ''}${more ?? ''}`}
    aria-disabled={busy || disabled || undefined}
    aria-busy={busy || undefined}
    onClick={(event) => {
      if (disabled) event.preventDefault();
      else if (!busy) onClick?.(event);
    }}
  >
    {children}
  </button>
);

/** A question over the page; Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, children, onClose }) {
  const ref = useRef(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      before?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** What was done last: shown at the page's end for some seconds, and spoken. */
export const told = signal(null);
const TOLD_MS = 8000;
let ends = 0;

export function tell(text) {
  told.value = timed(text);
  clearTimeout(ends);
  ends = setTimeout(() => {
    told.value = null;
  }, TOLD_MS);
}

export const Told = () => (
  <div class="told" role="status" aria-live="polite">
    {told.value && (
      <p>
        {told.value}{' '}
        <button type="button" class="quiet" onClick={() => (told.value = null)}>
          Close
        </button>
      </p>
    )}
  </div>
);

const isSentence = (line) => !/^\s*[{[]/.test(line); // the gate's value is for programs

const ROW = /^ {2}([A-Z][a-z ]{8}| {9}) (\S.*)$/; // of an event's page: a name of nine letters, then what it is

function SaidLine({ line }) {
  const [, name, text] = ROW.exec(line) ?? [];
  if (text === undefined) return <p class={line.startsWith(' ') ? 'in' : undefined}>{timed(line.trim())}</p>;
  return (
    <p class="in named">
      <strong>{name.trim()}</strong> <span>{timed(text)}</span>
    </p>
  );
}

/** Lines as the service says them: those that begin with blanks belong to the one before. */
export const Said = ({ lines }) => (
  <div class="said">
    {lines.filter(isSentence).map((line, n) => (
      <SaidLine key={n} line={line} />
    ))}
  </div>
);

/** Shapes of the final size while something is read. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden-text">Loading …</span>
    <i />
    <i />
    <i />
  </div>
);

export const Empty = ({ children }) => <div class="empty">{children}</div>;

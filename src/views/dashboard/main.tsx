/** The dashboard's page. */
import { render } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { noServer } from './client.ts';
import { live } from './parts/hooks.ts';
import { routeOf, type Route } from './routes.ts';
import { CompareView } from './views/compare/compare-view.tsx';
import { GraphView } from './views/graph/graph-view.tsx';
import { NewRunView } from './views/new-run.tsx';
import { RunView } from './views/run/run-view.tsx';
import { RunsView } from './views/runs/runs-view.tsx';

function App() {
  const [route, setRoute] = useState<Route>(() => routeOf(location.hash));
  // At once: an address that changed before a later effect would not be followed.
  useLayoutEffect(() => {
    const follow = (): void => {
      setRoute(routeOf(location.hash));
      scrollTo(0, 0);
      // Who uses a keyboard or a screen reader begins at the new view.
      document.getElementById('main')?.focus({ preventScroll: true });
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const skip = (event: Event): void => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>Skip to the content</a>
      <nav class="top" aria-label="Dashboard">
        <a class="brand" href="#/">Orbweaver</a>
        <a href="#/" aria-current={route.view === 'runs' ? 'page' : undefined}>Runs</a>
        <a href="#/new" aria-current={route.view === 'new' ? 'page' : undefined}>New run</a>
      </nav>
      <Banner />
      <main id="main" tabIndex={-1}>
        {route.view === 'run' && <RunView key={route.id} id={route.id} />}
        {route.view === 'graph' && <GraphView key={route.id} id={route.id} />}
        {route.view === 'compare' && <CompareView ids={route.ids} />}
        {route.view === 'new' && <NewRunView />}
        {route.view === 'runs' && <RunsView />}
      </main>
    </>
  );
}

/** Says so while the server does not answer. */
function Banner() {
  const [isLost, setLost] = useState(false);
  useEffect(() => live().listen((message) => {
    if (message.is === 'connected') setLost(!message.yes);
  }), []);
  return <div role="alert">{isLost && <p class="banner">{noServer}</p>}</div>;
}

render(<App />, document.getElementById('app')!);

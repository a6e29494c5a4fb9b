import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { Frame } from './frame';
import { keptSignIn } from './office';
import { SignIn } from './pages/sign-in';
import './styles/office.css';

const client = new QueryClient({
  // Without a network requests fail at once, and the page says so, instead of waiting without a word.
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

function Office() {
  const signIn = keptSignIn.use();
  useEffect(() => {
    // Also when another tab signed out, or the session has ended.
    if (signIn === null) client.clear();
  }, [signIn]);
  return signIn === null ? <SignIn /> : <Frame email={signIn.email} />;
}

render(
  <QueryClientProvider client={client}>
    <Router base="/admin">
      <Office />
    </Router>
  </QueryClientProvider>,
  document.getElementById('office')!, // It stands in index.html.
);

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap } from 'store-api-client';
import { useMe } from '../access';
import { store } from '../office';
import { Act } from '../parts/act';
import { textOf } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { QrCode } from '../parts/qr-code';
import { countOf } from '../words';

interface Setup {
  secret: string;
  otpauth_url: string;
  recovery_codes: readonly string[];
}

const PASSWORD = {
  name: 'current_password',
  label: 'Current password',
  kind: 'password',
  isRequired: true,
} as const;
const CODE = { name: 'code', label: 'Code of the app', isRequired: true } as const;

/** The own account: its password, and signing in with a code of an authenticator app. */
export function TwoFactor() {
  const me = useMe();
  const query = useQuery({
    queryKey: ['two-factor'],
    queryFn: () => unwrap(store.GET('/api/v1/users/me/two_factor')),
  });
  const [setup, setSetup] = useState<Setup | null>(null);
  return (
    <>
      <h1>Your account</h1>
      <p class="quiet">{me.data?.email}</p>
      <section class="box">
        <h2>Password</h2>
        <ChangePassword />
      </section>
      <section class="box">
        <h2>Two-factor sign-in</h2>
        <Loaded query={query}>
          {({ enabled, required, recovery_codes_left }) =>
            enabled ? (
              <>
                <p>
                  On. Signing in needs a code of your app; {countOf(recovery_codes_left, 'recovery code')}{' '}
                  {recovery_codes_left === 1 ? 'is' : 'are'} left.
                </p>
                <TurnOff isRequired={required} />
              </>
            ) : (
              <>
                <p>
                  {required
                    ? 'Your store requires it. Set it up to go on.'
                    : 'Off. With it, a stolen password is not enough to sign in.'}
                </p>
                {setup === null ? (
                  <Act
                    scope={null}
                    name="Set up"
                    isQuiet={false}
                    question="You need an authenticator app, such as that of your phone."
                    confirm="Make a secret"
                    done="Add the secret to your app."
                    fields={[PASSWORD]}
                    act={async (_key, values) =>
                      setSetup(
                        await unwrap(
                          store.POST('/api/v1/users/me/two_factor', {
                            body: { current_password: textOf(values, 'current_password') },
                          }),
                        ),
                      )
                    }
                  />
                ) : (
                  <Finish setup={setup} />
                )}
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

const ChangePassword = () => (
  <Act
    scope={null}
    name="Change the password"
    question="Other browsers and programs that are signed in to this account are signed out."
    confirm="Change the password"
    done="The password is changed."
    fields={[PASSWORD, { name: 'password', label: 'New password', kind: 'password', isRequired: true }]}
    act={(_key, values) =>
      unwrap(
        store.PUT('/api/v1/users/me', {
          body: {
            user: {
              password: textOf(values, 'password'),
              current_password: textOf(values, 'current_password'),
            },
          },
        }),
      )
    }
  />
);

const Finish = ({ setup: { secret, otpauth_url, recovery_codes } }: { setup: Setup }) => (
  <>
    <ol class="steps">
      <li>
        Scan this code with your app:
        <QrCode text={otpauth_url} label="QR code for the authenticator app" />
        Or add this secret to it: <code>{secret}</code>, or <a href={otpauth_url}>open the app</a> on this
        device.
      </li>
      <li>
        Keep these recovery codes where only you find them. Each signs in once without the app:
        <ul class="codes">
          {recovery_codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </li>
    </ol>
    <Act
      scope={null}
      name="Turn it on"
      isQuiet={false}
      question="The app shows a code of six digits."
      confirm="Turn it on"
      done="Two-factor sign-in is on."
      fields={[CODE]}
      act={(_key, values) =>
        unwrap(store.PUT('/api/v1/users/me/two_factor', { body: { code: textOf(values, 'code') } }))
      }
    />
  </>
);

/** Also leads to another app and to new recovery codes: both come with setting it up again. */
const TurnOff = ({ isRequired }: { isRequired: boolean }) => (
  <Act
    scope={null}
    name={isRequired ? 'Set it up again' : 'Turn it off'}
    question={
      isRequired
        ? 'For another phone, or for new recovery codes. The present ones end, and you cannot go on before it is set up again.'
        : 'A password alone is then enough to sign in.'
    }
    confirm={isRequired ? 'End the present app and codes' : 'Turn it off'}
    done="Two-factor sign-in is off."
    fields={[{ ...CODE, hint: 'Or a recovery code.' }]}
    act={(_key, values) =>
      unwrap(store.DELETE('/api/v1/users/me/two_factor', { body: { code: textOf(values, 'code') } }))
    }
  />
);

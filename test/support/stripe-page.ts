/**
 * A stand-in of the page script of Stripe. Its Payment Element is a field that takes the token of a card, as
 * `stripe-server.ts` knows them. `authenticate` is a function of the page that decides about an authentication.
 */
export const STRIPE_PAGE_SCRIPT = `
  window.Stripe = (key) => {
    let field;
    const fail = (message) => ({ error: { type: 'validation_error', message } });
    return {
      elements: (options) => ({
        options,
        update: async (changes) => Object.assign(options, changes),
        create: () => ({
          on: (event, listener) => event === 'ready' && queueMicrotask(listener),
          mount: (box) => {
            const label = document.createElement('label');
            field = document.createElement('input');
            label.append('Token of ' + key + ' for ' + options.amount + ' ' + options.currency, field);
            box.append(label);
          },
          destroy: () => field.parentElement.remove(),
        }),
        submit: async () => (field.value === '' ? fail('Your card number is incomplete.') : {}),
      }),
      createPaymentMethod: async () => ({
        paymentMethod: { id: field.value, card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2034 } },
      }),
      handleNextAction: async ({ clientSecret }) => {
        await window.authenticate(clientSecret);
        return {};
      },
    };
  };
`;

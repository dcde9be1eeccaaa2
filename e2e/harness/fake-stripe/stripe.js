/*
 * Stands in for Stripe.js in browser tests: the few calls that the payment screen makes. Like the real one, it keeps
 * the card in a frame of another origin and calls the API over HTTP.
 */
(() => {
  const frames = 'https://js.stripe.com/stand-in';
  const api = 'https://api.stripe.com/v1';

  const addFrame = (parent, address) => {
    const frame = document.createElement('iframe');
    frame.src = address;
    frame.style.border = '0';
    frame.style.width = '100%';
    parent.append(frame);
    return frame;
  };

  /** Sends a message to a frame and waits for the reply. */
  const ask = (frame, question) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      frame.contentWindow.postMessage(question, 'https://js.stripe.com', [port2]);
    });

  const createElement = (group, options) => {
    const listeners = {};
    let frame;
    const told = ({ source, data }) => {
      if (source !== frame?.contentWindow) return;
      if (data === 'ready') {
        frame.style.height = '320px';
        void ask(frame, { appearance: group.options.appearance, options });
        listeners.ready?.({ elementType: 'payment' });
      }
    };
    return {
      on: (type, listener) => {
        listeners[type] = listener;
      },
      mount: (place) => {
        window.addEventListener('message', told);
        frame = addFrame(place, `${frames}/fields`);
        frame.title = 'Secure payment input frame';
      },
      destroy: () => {
        window.removeEventListener('message', told);
        frame?.remove();
      },
      ask: (question) => ask(frame, question),
      frame: () => frame,
    };
  };

  const call = async (path, body) => {
    try {
      const response = await fetch(api + path, {
        method: body ? 'POST' : 'GET',
        ...(body ? { body: new URLSearchParams(body) } : {}),
      });
      const answer = await response.json();
      return answer.error ? { error: answer.error } : { paymentIntent: answer };
    } catch {
      return { error: { type: 'api_connection_error', message: 'Network error' } };
    }
  };
  const idOf = (secret) => secret.split('_secret')[0];

  /** Shows the bank's check in an overlay, or on the bank's own page. */
  const authenticate = async (secret, returnUrl) => {
    const { paymentIntent } = await call(`/payment_intents/${idOf(secret)}?client_secret=${secret}`);
    if (paymentIntent?.status !== 'requires_action') return { paymentIntent };
    if (paymentIntent.next_action?.type === 'redirect_to_url' && returnUrl) {
      const bank = new URLSearchParams({ intent: paymentIntent.id, secret, return_url: returnUrl });
      location.assign(`https://hooks.stripe.com/stand-in/bank?${bank}`);
      return new Promise(() => {});
    }
    const box = document.createElement('div');
    box.style.cssText = 'position:fixed;inset:0;background:rgb(0 0 0/.5);display:grid;place-items:center';
    document.body.append(box);
    const frame = addFrame(box, `${frames}/bank`);
    frame.title = 'The bank';
    frame.style.width = '400px';
    frame.style.background = '#fff';
    const outcome = await new Promise((resolve) => {
      window.addEventListener('message', function told({ source, data }) {
        if (source !== frame.contentWindow || !data?.outcome) return;
        window.removeEventListener('message', told);
        resolve(data.outcome);
      });
    });
    const result = await call(`/payment_intents/${idOf(secret)}/stand_in_authenticate`, { outcome });
    box.remove();
    const refused = result.paymentIntent?.last_payment_error;
    return refused ? { error: { ...refused, payment_intent: result.paymentIntent } } : result;
  };

  window.Stripe = (publishableKey) => {
    if (!publishableKey.startsWith('pk_test_')) throw new Error('a publishable key is missing');
    return {
      elements: (options) => {
        const group = { options };
        group.create = (_type, elementOptions) => {
          group.element = createElement(group, elementOptions);
          return group.element;
        };
        group.submit = () => group.element.ask('submit');
        group.update = (change) => {
          Object.assign(options, change);
          group.element.ask({ appearance: options.appearance });
        };
        return group;
      },
      confirmPayment: async ({ elements, confirmParams }) => {
        const secret = elements.options.clientSecret;
        if (!confirmParams.payment_method_data.billing_details.name)
          throw new Error('the name of the payer is missing');
        const { method } = await elements.element.ask('method');
        const result = await call(`/payment_intents/${idOf(secret)}/confirm`, {
          client_secret: secret,
          payment_method: method,
          return_url: confirmParams.return_url,
        });
        return result.paymentIntent?.status === 'requires_action'
          ? authenticate(secret, confirmParams.return_url)
          : result;
      },
      confirmPayByBankPayment: async (secret, { payment_method: method, return_url: returnUrl }) => {
        if (!method.billing_details.name) throw new Error('the name of the payer is missing');
        const result = await call(`/payment_intents/${idOf(secret)}/confirm`, {
          client_secret: secret,
          payment_method: 'pm_sim_pay_by_bank',
          return_url: returnUrl,
        });
        if (result.paymentIntent?.status !== 'requires_action') return result;
        location.assign(result.paymentIntent.next_action.redirect_to_url.url);
        return new Promise(() => {});
      },
      handleNextAction: ({ clientSecret }) => authenticate(clientSecret),
      retrievePaymentIntent: (secret) => call(`/payment_intents/${idOf(secret)}?client_secret=${secret}`),
      _registerWrapper: () => {},
    };
  };
  window.Stripe.version = 'endive';
})();

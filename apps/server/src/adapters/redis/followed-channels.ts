/** Keeps the subscriptions in Redis equal to the channels that this server follows. */
export interface FollowedChannels {
  follow(channel: string, isFollowed: boolean): void;
  list(): string[];
  /** Subscribes to all followed channels on a new connection. @throws if Redis refuses */
  connect(commands: SubscriptionCommands): Promise<void>;
  /** Stops sending commands, because the connection is lost. */
  disconnect(): void;
}

export interface SubscriptionCommands {
  subscribe(channels: string[]): Promise<void>;
  unsubscribe(channels: string[]): Promise<void>;
}

export interface FollowedChannelsOptions {
  /** Called once Redis has accepted subscriptions to channels that were not followed before. */
  onFollowed(channels: readonly string[]): void;
  /** Called when Redis refuses a subscription, so that the connection cannot be used. */
  onFailure(error: unknown): void;
}

/** Keeps track of the followed channels, and subscribes to them on each new connection. */
export function createFollowedChannels({ onFollowed, onFailure }: FollowedChannelsOptions): FollowedChannels {
  const followed = new Set<string>();
  /** The subscriptions that Redis has accepted on the current connection. */
  let subscribed = new Set<string>();
  const changed = new Set<string>();
  let commands: SubscriptionCommands | undefined;
  let isUpdating = false;

  const takeChanges = () => {
    const names = [...changed];
    changed.clear();
    return {
      added: names.filter((name) => followed.has(name) && !subscribed.has(name)),
      removed: names.filter((name) => !followed.has(name) && subscribed.has(name)),
    };
  };
  const update = async (current: SubscriptionCommands) => {
    // Changes of the same task, and those during a round trip, share a command.
    await Promise.resolve();
    while (commands === current && changed.size > 0) {
      const { added, removed } = takeChanges();
      for (const name of removed) subscribed.delete(name);
      const accepted = subscribed;
      const unsubscribing = removed.length > 0 ? current.unsubscribe(removed) : undefined;
      if (added.length > 0) {
        await current.subscribe(added);
        for (const name of added) accepted.add(name);
        if (commands === current) onFollowed(added);
      }
      await unsubscribing;
    }
  };
  const start = () => {
    const current = commands;
    if (isUpdating || !current) return;
    isUpdating = true;
    update(current)
      .catch((error: unknown) => {
        if (commands === current) onFailure(error);
      })
      .finally(() => {
        isUpdating = false;
        // The connection may have been replaced meanwhile.
        if (commands && commands !== current) start();
      });
  };
  return {
    follow: (channel, isFollowed) => {
      if (isFollowed) followed.add(channel);
      else followed.delete(channel);
      changed.add(channel);
      start();
    },
    list: () => [...followed],
    connect: async (next) => {
      changed.clear();
      const all = [...followed];
      subscribed = new Set(all);
      if (all.length > 0) await next.subscribe(all);
      commands = next;
      start();
    },
    disconnect: () => {
      commands = undefined;
    },
  };
}

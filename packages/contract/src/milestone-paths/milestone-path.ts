import type { MilestoneActor } from '../vocabulary.ts';

/** A step of a matter’s standard path, with the text clients see unless the firm’s case feed overrides it. */
export interface PathMilestone {
  key: string;
  title: string;
  explanation: string;
  actor: MilestoneActor;
  /** The usual duration in working days, from and to. */
  usual: readonly [number, number] | null;
}

/** A station of the stage tracker. It groups milestones, which need not be consecutive. */
export interface PathStage {
  title: string;
  /** True for exchange and completion. */
  keyMoment?: boolean;
  keys: readonly string[];
}

export interface MilestonePath {
  /** How many weeks after the instruction a milestone usually is, from and to. */
  usualWeeks: Readonly<Record<string, readonly [number, number]>>;
  stages: readonly PathStage[];
  milestones: readonly PathMilestone[];
}

/** Builds a step of a path. `usual` is its usual duration in working days, from and to. */
export const step = (
  key: string,
  actor: MilestoneActor,
  title: string,
  explanation: string,
  usual: readonly [number, number] | null = null,
): PathMilestone => ({ key, title, explanation, actor, usual });

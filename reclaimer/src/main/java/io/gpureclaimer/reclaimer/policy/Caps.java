package io.gpureclaimer.reclaimer.policy;

import java.util.Optional;

/**
 * The most that the administrator of a namespace allows to be taken from it. What is absent is not
 * limited here; the cluster's own limits hold all the same.
 *
 * @param maxPerRun acts in one cycle; zero or more
 * @param maxPerHour acts in any hour; zero or more
 * @param victimPriorityMax the highest priority that a victim may have
 */
public record Caps(
    Optional<Setting<Integer>> maxPerRun,
    Optional<Setting<Integer>> maxPerHour,
    Optional<Setting<Integer>> victimPriorityMax) {

  /** No limits of the namespace's own. */
  public static final Caps NONE = new Caps(Optional.empty(), Optional.empty(), Optional.empty());
}

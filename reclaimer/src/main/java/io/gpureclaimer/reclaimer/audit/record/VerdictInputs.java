package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/**
 * Complete inputs of one verdict.
 *
 * @param observation of the workload's pods, and of those that share a GPU with them
 * @param cluster the workload's pods, their owners and their namespace
 */
@Serdeable
public record VerdictInputs(
    Instant now, JudgmentTerms terms, Observation observation, ClusterView cluster) {

  /** Judges again; empty if these inputs make no workload, or more than one. */
  public Optional<Verdict> judge() {
    return Optional.of(terms.judge().judge(cluster, observation, now))
        .filter(judgments -> judgments.size() == 1)
        .map(judgments -> judgments.getFirst())
        .map(Judgment::verdict);
  }

  /** Judges the pods again, as before an action; empty if there are none among these inputs. */
  public Optional<Verdict> recheck() {
    return cluster.pods().isEmpty()
        ? Optional.empty()
        : Optional.of(
            terms.judge().judgeAgain(cluster.pods(), cluster, observation, now).verdict());
  }

  /** By which rules is judged, as far as they are configured. */
  public record JudgmentTerms(PolicyDefaults defaults, EvidenceLimits limits, Actions actions) {

    /** With every action. */
    public JudgmentTerms(PolicyDefaults defaults, EvidenceLimits limits) {
      this(defaults, limits, Actions.ALL);
    }

    /** The judge that uses them. */
    public Judge judge() {
      return new Judge(defaults, limits, actions);
    }
  }
}

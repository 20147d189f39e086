package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything that one verdict was made of, and nothing else: no other pods than the workload's, but
 * for the GPUs that others hold with it, and no annotations that are not read.
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

  /** Judges one pod again, as before an act; empty if it is not among these inputs. */
  public Optional<Verdict> recheck(String uid) {
    return cluster.pods().stream()
        .filter(pod -> pod.ref().uid().equals(uid))
        .findFirst()
        .map(pod -> terms.judge().judgeAgain(List.of(pod), cluster, observation, now).verdict());
  }

  /** By which rules is judged, as far as they are configured. */
  @Serdeable
  public record JudgmentTerms(PolicyDefaults defaults, EvidenceLimits limits) {

    /** The judge who goes by them. */
    public Judge judge() {
      return new Judge(defaults, limits);
    }
  }
}

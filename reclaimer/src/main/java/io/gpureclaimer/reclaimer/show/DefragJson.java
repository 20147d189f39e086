package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.plan.Defragmentation;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Move;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Proposal;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** JSON of proposals to move workloads, with the same facts as {@link DefragText}. */
@Serdeable
public record DefragJson(
    int schema,
    Instant at,
    Optional<String> blind,
    String summary,
    int freeGpus,
    double fragmentedGpus,
    double fragmentedGpusAfter,
    boolean complete,
    List<ProposalJson> proposals,
    List<String> remarks) {

  /** One object, ended by a line feed. */
  public static String of(CycleReport report) {
    Defragmentation found = DefragText.found(report);
    return Json.indented(
        new DefragJson(
            PlanJson.SCHEMA,
            report.at(),
            switch (report.observation()) {
              case Observation.Blind(String reason) -> Optional.of(reason);
              case Observation.Seen _ -> Optional.empty();
            },
            DefragText.summary(found),
            found.free(),
            rounded(found.before()),
            rounded(found.after()),
            found.isComplete(),
            found.proposals().stream().map(ProposalJson::of).toList(),
            DefragText.remarks(found)));
  }

  private static double rounded(double gpus) {
    return Math.round(gpus * 100) / 100.0;
  }

  /**
   * Moves away from one node.
   *
   * @param fits how many more pods of a number of GPUs fit, by that number
   */
  @Serdeable
  record ProposalJson(
      String node,
      String pool,
      boolean freesWholeNode,
      Map<Integer, Integer> fits,
      double fewerFragmentedGpus,
      String frees,
      List<MoveJson> moves) {
    static ProposalJson of(Proposal proposal) {
      return new ProposalJson(
          proposal.node(),
          proposal.pool(),
          proposal.wholeNode(),
          proposal.fits(),
          rounded(proposal.fragmented()),
          DefragText.frees(proposal),
          proposal.moves().stream().map(MoveJson::of).toList());
    }
  }

  /** A move of one workload. */
  @Serdeable
  record MoveJson(
      String namespace,
      String kind,
      String name,
      int gpus,
      String verdict,
      boolean idle,
      List<String> to) {
    static MoveJson of(Move move) {
      var workload = move.workload();
      return new MoveJson(
          workload.namespace(),
          workload.kind(),
          workload.name(),
          move.gpus(),
          VerdictCode.of(move.verdict()).verdict(),
          move.isIdle(),
          move.to());
    }
  }
}

package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.Defragmentation;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Move;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Proposal;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Proposals to move workloads, as text and as CSV. */
public final class DefragText {
  private static final List<String> COLUMNS =
      List.of("STEP", "NAMESPACE", "WORKLOAD", "GPUS", "VERDICT", "FROM", "TO", "FREES");
  private static final List<String> CSV_COLUMNS =
      List.of(
          "step",
          "namespace",
          "kind",
          "name",
          "gpus",
          "verdict",
          "idle",
          "pool",
          "from_node",
          "to_nodes",
          "step_frees_whole_node",
          "step_fits_more_pods",
          "step_fragmented_gpus_less");

  private DefragText() {}

  /** Lines, each ended by a line feed. */
  public static String of(CycleReport report) {
    return of(report, found(report));
  }

  static Defragmentation found(CycleReport report) {
    return Defragmentation.of(report.cluster(), report.judgments());
  }

  private static String of(CycleReport report, Defragmentation found) {
    var text = new StringBuilder();
    if (report.observation() instanceof Observation.Blind(String reason)) {
      text.append("Nothing is known of any GPU, so no move is proposed: ")
          .append(reason)
          .append("\n\n");
    }
    text.append(summary(found)).append('\n');
    if (!found.proposals().isEmpty()) {
      var table = new Table(COLUMNS.toArray(String[]::new));
      IntStream.range(0, found.proposals().size())
          .forEach(index -> add(table, index + 1, found.proposals().get(index)));
      text.append('\n').append(table.text());
    }
    text.append("\nREMARKS\n");
    remarks(found).forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  private static void add(Table table, int step, Proposal proposal) {
    for (Move move : proposal.moves()) {
      Workload workload = move.workload();
      table.add(
          Integer.toString(step),
          workload.namespace(),
          workload.kind() + "/" + workload.name(),
          Integer.toString(move.gpus()),
          VerdictCode.of(move.verdict()).verdict(),
          proposal.node(),
          String.join(", ", move.to()),
          move.equals(proposal.moves().getLast()) ? frees(proposal) : "with the next move");
    }
  }

  static String summary(Defragmentation found) {
    String now = gpus(found.before()) + " of " + found.free() + " free GPUs are fragmented";
    return found.proposals().isEmpty()
        ? now + ". No move of a workload whose policy permits actions lowers that."
        : now
            + "; "
            + gpus(found.after())
            + " would be after these moves. Nothing is moved by this program.";
  }

  /** For example {@code whole node; 1 more pod of 8 GPUs}. */
  static String frees(Proposal proposal) {
    var parts = new ArrayList<String>();
    if (proposal.wholeNode()) {
      parts.add("whole node");
    }
    proposal
        .fits()
        .forEach(
            (shape, count) ->
                parts.add(
                    count
                        + (count == 1 ? " more pod of " : " more pods of ")
                        + shape
                        + (shape == 1 ? " GPU" : " GPUs")));
    parts.add(gpus(proposal.fragmented()) + " fewer fragmented GPUs");
    return String.join("; ", parts);
  }

  /** What has to be known to read the proposals. */
  static List<String> remarks(Defragmentation found) {
    var lines = new ArrayList<String>();
    if (!found.isComplete()) {
      lines.add(
          "the search ended after "
              + Defragmentation.MOST_PLACEMENTS
              + " tries to place a pod; there may be more moves");
    }
    lines.add(
        "a pod that is moved starts again: a move of a workload that is active or vetoed"
            + " interrupts its work");
    lines.add("volumes are not read: check that the pods can mount theirs on the new node");
    return lines;
  }

  /** The same facts for programs, one line for each move. */
  public static String csv(CycleReport report) {
    Defragmentation found = found(report);
    List<List<String>> lines = new ArrayList<>();
    lines.add(CSV_COLUMNS);
    for (int index = 0; index < found.proposals().size(); index++) {
      Proposal proposal = found.proposals().get(index);
      for (Move move : proposal.moves()) {
        Workload workload = move.workload();
        lines.add(
            List.of(
                Integer.toString(index + 1),
                workload.namespace(),
                workload.kind(),
                workload.name(),
                Integer.toString(move.gpus()),
                VerdictCode.of(move.verdict()).verdict(),
                Boolean.toString(move.isIdle()),
                proposal.pool(),
                proposal.node(),
                String.join(" ", move.to()),
                Boolean.toString(proposal.wholeNode()),
                fits(proposal.fits()),
                gpus(proposal.fragmented())));
      }
    }
    return lines.stream()
        .map(
            fields ->
                fields.stream().map(RightSizeText::quoted).collect(Collectors.joining(",")) + "\n")
        .collect(Collectors.joining());
  }

  /** For example {@code 8:1 4:2}: one more pod of eight GPUs, or two of four. */
  private static String fits(Map<Integer, Integer> more) {
    return more.entrySet().stream()
        .map(each -> each.getKey() + ":" + each.getValue())
        .collect(Collectors.joining(" "));
  }

  private static String gpus(double count) {
    return String.format(Locale.ROOT, "%.1f", count);
  }
}

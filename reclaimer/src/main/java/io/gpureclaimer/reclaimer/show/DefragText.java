package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.Defragmentation;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Move;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Proposal;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Total;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

  /** In clusters with MIG devices. */
  private static final List<String> MIG_CSV_COLUMNS =
      List.of("mig_profile", "mig_devices", "step_fragmented_mig_devices_less");

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
          isOfGpus(proposal)
              ? Integer.toString(move.devices())
              : devices(proposal.kind(), move.devices()),
          VerdictCode.of(move.verdict()).verdict(),
          proposal.node(),
          String.join(", ", move.to()),
          move.equals(proposal.moves().getLast()) ? frees(proposal) : "with the next move");
    }
  }

  static String summary(Defragmentation found) {
    SortedMap<String, Total> totals = new TreeMap<>(found.totals());
    if (totals.isEmpty()) {
      totals.put(ResourceNames.GPU, found.gpus());
    }
    String now =
        totals.entrySet().stream()
                .map(
                    each ->
                        decimal(each.getValue().before())
                            + " of "
                            + each.getValue().free()
                            + " free "
                            + noun(each.getKey(), 0))
                .collect(Collectors.joining(" and "))
            + " are fragmented";
    String after =
        totals.values().stream()
            .map(each -> decimal(each.after()))
            .collect(Collectors.joining(" and "));
    return found.proposals().isEmpty()
        ? now + ". No move of a workload whose policy permits actions lowers that."
        : now + "; " + after + " would be after these moves. Nothing is moved by this program.";
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
                        + devices(proposal.kind(), shape)));
    proposal
        .fragmented()
        .forEach(
            (kind, fewer) ->
                parts.add(
                    decimal(Math.abs(fewer))
                        + (fewer < 0 ? " more" : " fewer")
                        + " fragmented "
                        + noun(kind, 0)));
    return String.join("; ", parts);
  }

  static boolean isOfGpus(Proposal proposal) {
    return proposal.kind().equals(ResourceNames.GPU);
  }

  /** {@code 1g.10gb} of {@code nvidia.com/mig-1g.10gb}. */
  static String profile(String kind) {
    return kind.substring(ResourceNames.MIG_PREFIX.length());
  }

  private static String devices(String kind, int count) {
    return count + " " + noun(kind, count);
  }

  private static String noun(String kind, int count) {
    return kind.equals(ResourceNames.GPU) ? (count == 1 ? "GPU" : "GPUs") : kind;
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
    boolean hasMigDevices =
        found.totals().keySet().stream().anyMatch(kind -> !kind.equals(ResourceNames.GPU));
    List<List<String>> lines = new ArrayList<>();
    lines.add(hasMigDevices ? both(CSV_COLUMNS, MIG_CSV_COLUMNS) : CSV_COLUMNS);
    for (int index = 0; index < found.proposals().size(); index++) {
      Proposal proposal = found.proposals().get(index);
      for (Move move : proposal.moves()) {
        List<String> fields = fields(index + 1, proposal, move);
        lines.add(hasMigDevices ? both(fields, migFields(proposal, move)) : fields);
      }
    }
    return lines.stream()
        .map(
            fields ->
                fields.stream().map(RightSizeText::quoted).collect(Collectors.joining(",")) + "\n")
        .collect(Collectors.joining());
  }

  private static List<String> fields(int step, Proposal proposal, Move move) {
    Workload workload = move.workload();
    return List.of(
        Integer.toString(step),
        workload.namespace(),
        workload.kind(),
        workload.name(),
        Integer.toString(isOfGpus(proposal) ? move.devices() : 0),
        VerdictCode.of(move.verdict()).verdict(),
        Boolean.toString(move.isIdle()),
        proposal.pool(),
        proposal.node(),
        String.join(" ", move.to()),
        Boolean.toString(proposal.wholeNode()),
        fits(proposal.fits()),
        decimal(proposal.fragmented().getOrDefault(ResourceNames.GPU, 0.0)));
  }

  private static List<String> migFields(Proposal proposal, Move move) {
    double fewer =
        proposal.fragmented().entrySet().stream()
            .filter(each -> !each.getKey().equals(ResourceNames.GPU))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return List.of(
        isOfGpus(proposal) ? "" : profile(proposal.kind()),
        Integer.toString(isOfGpus(proposal) ? 0 : move.devices()),
        decimal(fewer));
  }

  private static List<String> both(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /** For example {@code 8:1 4:2}: one more pod of eight devices, or two of four. */
  private static String fits(Map<Integer, Integer> more) {
    return more.entrySet().stream()
        .map(each -> each.getKey() + ":" + each.getValue())
        .collect(Collectors.joining(" "));
  }

  private static String decimal(double count) {
    return String.format(Locale.ROOT, "%.1f", count);
  }
}

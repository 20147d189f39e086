package io.gpureclaimer.reclaimer.simulate;

import static io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow.invalid;

import io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One row of {@code sacct}: a job, a task of an array, or several pending tasks of one.
 *
 * @param id as Slurm writes it, such as {@code 123_4} or {@code 123_[5-9%2]}
 * @param line of the file
 * @param account in which it is
 * @param partition in which it ran or is pending
 * @param gpus how many on each of its nodes; empty if it has none
 * @param models of which it has its GPUs; empty if Slurm does not say
 */
record SlurmJob(
    String id,
    long line,
    String account,
    String partition,
    SlurmJobTimes times,
    List<Integer> gpus,
    Set<String> models) {
  /** Columns that the list must have. */
  static final List<String> COLUMNS =
      List.of(
          "JobID",
          "User",
          "Account",
          "Partition",
          "State",
          "Submit",
          "Start",
          "End",
          "Elapsed",
          "Timelimit",
          "AllocTRES",
          "ReqTRES",
          "AllocNodes");

  private static final String ID = "JobID";
  private static final int MOST_TASKS = 10_000;
  private static final Pattern PENDING_TASKS = Pattern.compile("(\\d+)_\\[([^%\\]]+)(%\\d+)?]");
  private static final Pattern TASKS =
      Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");
  private static final Pattern NODES = Pattern.compile("(?:^|,)node=(\\d{1,6})(?:,|$)");
  private static final Pattern GPUS =
      Pattern.compile("(?:^|,)gres/gpu(?::([^=,]+))?=(\\d{1,6})(?=,|$)");

  SlurmJob {
    gpus = List.copyOf(gpus);
    models = Set.copyOf(models);
  }

  /**
   * The job of a row.
   *
   * @param nodes whose models it may have
   */
  static SlurmJob of(CsvRow row, List<TracedNode> nodes) {
    String column = row.text("AllocTRES").isPresent() ? "AllocTRES" : "ReqTRES";
    String resources = row.text(column).orElse("");
    List<Integer> gpus = gpus(column, resources, nodeCount(row, resources));
    gpus.forEach(count -> TraceFiles.fitting(count, column, nodes));
    return new SlurmJob(
        row.required(ID),
        row.line(),
        row.text("Account").or(() -> row.text("User")).orElse("none"),
        row.text("Partition").orElse(""),
        SlurmJobTimes.of(row),
        gpus,
        gpus.isEmpty() ? Set.of() : models(column, resources, nodes));
  }

  /** A job that is pending has no nodes yet, and may have requested some. */
  private static int nodeCount(CsvRow row, String resources) {
    int allocated = row.number("AllocNodes");
    if (allocated > 0) {
      return allocated;
    }
    Matcher requested = NODES.matcher(resources);
    return requested.find() ? Math.max(1, Integer.parseInt(requested.group(1))) : 1;
  }

  /** The total, or the sum of the models if Slurm only counts these. */
  private static List<Integer> gpus(String column, String resources, int nodes) {
    int total = 0;
    int ofModels = 0;
    for (Matcher found = GPUS.matcher(resources); found.find(); ) {
      int count = Integer.parseInt(found.group(2));
      if (found.group(1) == null) {
        total = count;
      } else {
        ofModels += count;
      }
    }
    if (total > 0 && ofModels > total) {
      throw invalid(
          column, "expected at most gres/gpu=" + total + " GPUs of all models, found " + ofModels);
    }
    int gpus = Math.max(total, ofModels);
    return IntStream.range(0, nodes)
        .map(node -> gpus / nodes + (node < gpus % nodes ? 1 : 0))
        .filter(count -> count > 0)
        .boxed()
        .toList();
  }

  private static Set<String> models(String column, String resources, List<TracedNode> nodes) {
    List<String> written = new ArrayList<>();
    for (Matcher found = GPUS.matcher(resources); found.find(); ) {
      if (found.group(1) != null && !found.group(2).matches("0+")) {
        written.add(found.group(1));
      }
    }
    if (written.size() > 1) {
      throw invalid(column, "expected GPUs of one model, found " + String.join(" and ", written));
    }
    return written.isEmpty() ? Set.of() : Set.of(model(column, written.getFirst(), nodes));
  }

  /** Slurm writes its names in lower case. */
  private static String model(String column, String written, List<TracedNode> nodes) {
    return nodes.stream()
        .map(TracedNode::model)
        .filter(written::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(() -> invalid(column, "expected models of nodes, found " + written));
  }

  /** Names of its tasks; one that is not a list of pending tasks has one. */
  List<String> tasks() {
    Matcher list = PENDING_TASKS.matcher(id);
    if (!list.matches()) {
      return List.of(name(id));
    }
    List<String> names = new ArrayList<>();
    for (String range : list.group(2).split(",", -1)) {
      tasks(range).forEach(task -> names.add(name(list.group(1) + "_" + task)));
      if (names.size() > MOST_TASKS) {
        throw invalid(ID, "expected at most " + MOST_TASKS + " tasks, found " + id);
      }
    }
    return names;
  }

  /** A list that is longer than SLURM_BITSTR_LEN is cut, and ends with dots. */
  private IntStream tasks(String range) {
    Matcher parts = TASKS.matcher(range);
    if (!parts.matches()) {
      throw invalid(
          ID, "expected tasks like 1-9,12 (SLURM_BITSTR_LEN=0 shows all of them), found " + id);
    }
    int first = Integer.parseInt(parts.group(1));
    int last = Optional.ofNullable(parts.group(2)).map(Integer::parseInt).orElse(first);
    int step = Optional.ofNullable(parts.group(3)).map(Integer::parseInt).orElse(1);
    if (step == 0 || last - first > MOST_TASKS) {
      throw invalid(ID, "expected at most " + MOST_TASKS + " tasks, found " + id);
    }
    return IntStream.rangeClosed(first, last).filter(task -> (task - first) % step == 0);
  }

  private static String name(String id) {
    return "job-" + id.replaceAll("[^0-9A-Za-z]+", "-");
  }
}

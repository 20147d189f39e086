package io.gpureclaimer.reclaimer.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sample is not of a real cluster. */
class SlurmJobsTest {
  private static final Path NODES = Path.of("src/test/resources/simulate/nodes.csv");
  private static final Path SAMPLE = Path.of("src/test/resources/simulate/sacct.txt");
  private static final Instant EIGHT = Instant.parse("2026-03-02T08:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final SlurmOptions NOTHING_SAID =
      new SlurmOptions(Set.of(), Map.of(), Optional.empty());
  private static final String HEADER =
      "JobID|User|Account|Partition|State|Submit|Start|End|Elapsed|Timelimit|AllocTRES|ReqTRES|"
          + "AllocNodes\n";

  /** One job of an hour, with what a test replaces. */
  private static final String JOB =
      "7|ada|ml|gpu|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T09:10:00|01:00:00|"
          + "02:00:00|gres/gpu=1,node=1|gres/gpu=1,node=1|1";

  @TempDir Path folder;

  private final TraceProblems problems = new TraceProblems();

  @Test
  void readsJobs() {
    var trace = sample(NOTHING_SAID).trace(1);

    assertThat(trace.workloads().stream().map(SlurmJobsTest::words))
        .containsExactly(
            "vision/job-100 TRAINING 0 7200 4 [H100]",
            "nlp/job-106 TRAINING 0 1800 2 []",
            "nlp/job-101-1 TRAINING 300 1800 1 []",
            "nlp/job-101-2 TRAINING 300 600 1 []",
            "nlp/job-101-3 TRAINING 300 86400 1 []",
            "nlp/job-101-4 TRAINING 300 86400 1 []",
            "nlp/job-101-5 TRAINING 300 86400 1 []",
            "nlp/job-106-run-2 TRAINING 1800 5400 2 []",
            "vision/job-103 TRAINING 3600 79200 6+6 []",
            "robots/job-104 TRAINING 7200 3605 1 [A100]");
    assertThat(problems.lines()).isEmpty();
  }

  @Test
  void saysWhatItAssumesAndLeavesOut() {
    assertThat(sample(NOTHING_SAID).trace(1).remarks())
        .containsExactly(
            "sacct: 1 jobs did not run all the time from Start to End: they take as "
                + "long as Elapsed",
            "sacct: 1 jobs on several nodes, which start together",
            "sacct: 1 jobs still ran: they take as long as their time limit, or to the end without"
                + " one",
            "sacct: 1 jobs that ended before they ran left out",
            "sacct: 1 jobs without GPUs left out",
            "sacct: 1 pending jobs left out, because they have no time limit and nothing else says"
                + " how long they take",
            "sacct: 1 rows of jobs that were pending: they take as long as their time limit",
            "sacct: 1 steps of jobs left out",
            "sacct: jobs of all partitions are trainings",
            "sacct: the priorities of Slurm are left out, so that all pods have priority 0",
            "sacct: Slurm does not record what a job does on its GPUs; activity that no file has is"
                + " drawn from the distributions of the generated scenario");
  }

  @Test
  void honorsWhatTheUserSays() throws IOException {
    Path activity = write("activity.csv", "job,activity\n104,0-10m@0.5 30m-1h\n101_2,\n");
    var trace =
        sample(new SlurmOptions(Set.of("interactive"), Map.of("gpu", 7), Optional.of(activity)))
            .trace(1);

    TracedWorkload notebook = find(trace, "job-104");
    assertThat(notebook.kind()).isEqualTo(WorkloadKind.NOTEBOOK);
    assertThat(notebook.priority()).isZero();
    assertThat(notebook.activity())
        .isEqualTo(
            new ActivityPeriods.PeriodsBuilder().add(0, 600, 0.5).add(1_800, 3_600, 1).build());
    assertThat(find(trace, "job-101-2").activity()).isEqualTo(ActivityPeriods.NONE);
    assertThat(find(trace, "job-101-2").priority()).isEqualTo(7);
    assertThat(trace.remarks())
        .contains(
            "sacct: 2 jobs have the activity of the file",
            "sacct: jobs of the partitions interactive are notebooks, others trainings");
  }

  /** Half of job 100 has passed, and so has half of its activity. */
  @Test
  void beginsInTheMiddleOfAJob() throws IOException {
    Path activity = write("activity.csv", "job,activity\n100,30m-90m\n");
    var options = new SlurmOptions(Set.of(), Map.of(), Optional.of(activity));
    var trace =
        TraceFiles.slurm(
                NODES,
                SAMPLE,
                options,
                Optional.empty(),
                Optional.of(Instant.parse("2026-03-02T09:10:00Z")),
                Duration.ofMinutes(30),
                problems)
            .trace(1);

    assertThat(words(find(trace, "job-100"))).isEqualTo("vision/job-100 TRAINING 0 3600 4 [H100]");
    assertThat(find(trace, "job-100").activity())
        .isEqualTo(new ActivityPeriods.PeriodsBuilder().add(0, 1_800, 1).build());
    assertThat(trace.workloads().stream().map(TracedWorkload::name)).doesNotContain("job-104");
  }

  /** The first of two Mondays is a week before the second; a Saturday has less work. */
  @Test
  void drawsNotebooksByTheDayOfTheWeek() throws IOException {
    double monday = activeOn("2026-03-02", "2026-03-03");
    double saturday = activeOn("2026-03-07", "2026-03-08");

    assertThat(monday).isGreaterThan(3 * saturday);
  }

  private double activeOn(String day, String next) throws IOException {
    var rows = new StringBuilder(HEADER);
    for (int i = 0; i < 200; i++) {
      String times = day + "T00:00:00|" + day + "T00:00:00|" + next + "T00:00:00";
      rows.append(i).append("|ada|ml|lab|COMPLETED|").append(times);
      rows.append("|1-00:00:00|1-00:00:00|gres/gpu=1|gres/gpu=1|1\n");
    }
    return TraceFiles.slurm(
            NODES,
            write("day.txt", rows.toString()),
            new SlurmOptions(Set.of("lab"), Map.of(), Optional.empty()),
            Optional.empty(),
            Optional.empty(),
            DAY,
            problems)
        .trace(1)
        .workloads()
        .stream()
        .mapToLong(each -> each.activity().seconds(0, 86_400))
        .sum();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "COMPLETED; WEIRD; State: expected a state of Slurm like COMPLETED, found WEIRD",
        "COMPLETED; RUNNING; End: expected Unknown of a job that is RUNNING, found a time",
        "COMPLETED; PENDING; Start: expected Unknown of a job that is PENDING, found a time",
        "|2026-03-02T09:10:00|; |Unknown|; End: expected a time of a job that is COMPLETED, found"
            + " none",
        "2026-03-02T08:00:00; Unknown; Submit: expected a time, found none",
        "2026-03-02T08:00:00; 02.03.26-08:00; Submit: expected a time like 2026-03-02T18:00:00 or"
            + " Unknown, found 02.03.26-08:00",
        "2026-03-02T08:00:00; 1970-01-01T00:00:00; Submit: expected a time of this century, found"
            + " 1970-01-01T00:00:00",
        "2026-03-02T08:10:00; 2026-03-02T07:00:00; Start: expected a time from Submit"
            + " 2026-03-02T08:00:00Z on, found 2026-03-02T07:00:00Z",
        "2026-03-02T09:10:00; 2026-03-02T08:05:00; End: expected a time from Start"
            + " 2026-03-02T08:10:00Z on, found 2026-03-02T08:05:00Z",
        "|01:00:00|; |03:00:00|; Elapsed: expected at most the 3600s from Start to "
            + "End, found 10800s",
        "|01:00:00|; |-01:00:00|; Elapsed: expected a time like 1-02:30:00, found -01:00:00",
        "|02:00:00|; |soon|; Timelimit: expected a time like 1-02:30:00, found soon",
        "gres/gpu=1,node=1|g; gres/gpu:t4=1|g; AllocTRES: expected models of nodes, found t4",
        "gres/gpu=1,node=1|g; gres/gpu=9|g; AllocTRES: expected 1 to 8, which the largest node has,"
            + " found 9",
        "gres/gpu=1,node=1|g; gres/gpu:h100=1,gres/gpu:a100=1|g; AllocTRES: expected GPUs of one"
            + " model, found h100 and a100",
        "gres/gpu=1,node=1|g; gres/gpu=1,gres/gpu:a100=2|g; AllocTRES: expected at most gres/gpu=1"
            + " GPUs of all models, found 2",
        "7|ada; 7_[1-...]|ada; JobID: expected tasks like 1-9,12 (SLURM_BITSTR_LEN=0 shows all of"
            + " them), found 7_[1-...]",
        "7|ada; 7_[0-99999]|ada; JobID: expected at most 10000 tasks, found 7_[0-99999]",
        "7|ada; |ada; JobID: expected a value, found none",
        "node=1|1; node=1|; AllocNodes: expected a value, found none"
      })
  void namesTheColumnOfAJobThatCannotBeUsed(String part, String wrong, String problem)
      throws IOException {
    assertThat(JOB).contains(part);
    read(JOB.replaceFirst(Pattern.quote(part), wrong), NOTHING_SAID);

    assertThat(problems.lines()).containsExactly("sacct.txt, line 2, column " + problem);
  }

  @Test
  void namesRunsOfAJobThatOverlap() throws IOException {
    read(JOB + "\n" + JOB.replace("T08:10", "T08:30"), NOTHING_SAID);

    assertThat(problems.lines())
        .containsExactly(
            "sacct.txt, line 3, column Start: expected runs of a job that do not overlap, found one"
                + " that does in line 2");
  }

  @Test
  void namesTasksThatAreListedTwice() throws IOException {
    String pending =
        "7_[1-2]|ada|ml|gpu|PENDING|2026-03-02T08:00:00|Unknown|Unknown|00:00:00|01:00:00||gres/gpu=1|0";
    read(JOB.replaceFirst("7", "7_2") + "\n" + pending, NOTHING_SAID);

    assertThat(problems.lines())
        .containsExactly(
            "sacct.txt, line 3, column JobID: expected each task once, found one that 7_2 has in"
                + " 7_[1-2]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "8,0-1m; job: expected a job of the list that ran once, found 8",
        "7,0-2h; activity: expected periods in order, each within the duration and after the one"
            + " before, found 0-2h"
      })
  void namesTheColumnOfAnActivityThatCannotBeUsed(String row, String problem) throws IOException {
    Path activity = write("activity.csv", "job,activity\n" + row + "\n");
    read(JOB, new SlurmOptions(Set.of(), Map.of(), Optional.of(activity)));

    assertThat(problems.lines()).containsExactly("activity.csv, line 2, column " + problem);
  }

  @Test
  void countsDaysWithoutAnyEvent() throws IOException {
    var trace =
        read(JOB + "\n" + JOB.replace("7|ada", "8|ada").replace("-02T", "-04T"), NOTHING_SAID);

    assertThat(trace.trace(1).remarks())
        .contains("sacct: 1 gaps of more than 1d in which no job was submitted, began or ended");
  }

  @Test
  void refusesAListWithoutAColumn() {
    assertThatThrownBy(
            () ->
                TraceFiles.slurm(
                    NODES,
                    write("sacct.txt", "JobID|User\n1|ada\n"),
                    NOTHING_SAID,
                    Optional.empty(),
                    Optional.empty(),
                    DAY,
                    problems))
        .isInstanceOf(InvalidTrace.class)
        .hasMessage("sacct.txt, line 1, column Account: expected the column, found JobID|User");
  }

  private TraceFiles sample(SlurmOptions options) {
    return TraceFiles.slurm(
        NODES, SAMPLE, options, Optional.empty(), Optional.of(EIGHT), DAY, problems);
  }

  private TraceFiles read(String rows, SlurmOptions options) throws IOException {
    return TraceFiles.slurm(
        NODES,
        write("sacct.txt", HEADER + rows + "\n"),
        options,
        Optional.empty(),
        Optional.of(EIGHT),
        Duration.ofDays(7),
        problems);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static TracedWorkload find(WorkloadTrace trace, String name) {
    return trace.workloads().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String words(TracedWorkload each) {
    return String.join(
        " ",
        each.namespace() + "/" + each.name(),
        each.kind().name(),
        Integer.toString(each.arrival()),
        Integer.toString(each.lifetime()),
        each.podGpus().stream().map(String::valueOf).collect(Collectors.joining("+")),
        each.models().toString());
  }
}

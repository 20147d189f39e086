package io.gpureclaimer.reclaimer.action.suspend;

import io.gpureclaimer.reclaimer.action.OwnerAction;
import io.gpureclaimer.reclaimer.action.OwnerKind;
import io.gpureclaimer.reclaimer.action.OwnerKind.PreFlightCheck;
import io.gpureclaimer.reclaimer.action.OwnerKind.StopEffect;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Owners that remove their pods while they are suspended, and start them again later. */
public final class SuspendableKinds {
  private static final String SUSPEND = "/spec/suspend";
  private static final String MANAGED_BY = "/spec/managedBy";

  private static final StopEffect FROM_CHECKPOINTS =
      new StopEffect(
          "the state of the processes since their last checkpoint",
          "all pods, which start from their own checkpoints");
  private static final StopEffect FROM_THE_START =
      new StopEffect("the whole run", "a new run from the beginning");

  /** A condition that says that a Job has ended; conditions are flat. */
  private static final Pattern ENDED =
      Pattern.compile(
          "\\{(?=[^{}]*\"type\":\"(?:Complete|Failed|SuccessCriteriaMet|FailureTarget)\")"
              + "(?=[^{}]*\"status\":\"True\")");

  private static final PreFlightCheck UNFINISHED =
      new PreFlightCheck(
          "finished",
          "it has finished",
          "has finished, and its last pods are terminating",
          "/status/conditions",
          value -> value.filter(text -> ENDED.matcher(text).find()).isPresent());

  /** Reached only where the Workload, by which Kueue stops it, is not known. */
  private static final PreFlightCheck NOT_QUEUED =
      PreFlightCheck.ifPresent(
          FieldChange.label("kueue.x-k8s.io/queue-name"),
          "queued-by-kueue",
          "Kueue queues it and its Workload cannot be read",
          "is in the queue VALUE of Kueue, which would resume it at once, and its Workload cannot"
              + " be read");

  private static final PreFlightCheck RAY_JOB_SHUTS_DOWN =
      PreFlightCheck.unlessOneOf(
          "/spec/shutdownAfterJobFinishes",
          Set.of("true"),
          "suspension-invalid",
          "it keeps its cluster after the job",
          "does not set shutdownAfterJobFinishes: true, and KubeRay fails such a RayJob when it is"
              + " suspended");

  private static final PreFlightCheck RAY_JOB_HAS_OWN_CLUSTER =
      PreFlightCheck.ifPresent(
          "/spec/clusterSelector",
          "shared-cluster",
          "it runs in a cluster of others",
          "runs in a cluster that it selects (spec.clusterSelector), and KubeRay fails such a"
              + " RayJob when it is suspended");

  private static final PreFlightCheck RAY_JOB_RUNS =
      PreFlightCheck.unlessOneOf(
          "/status/jobDeploymentStatus",
          Set.of("\"Initializing\"", "\"Running\""),
          "not-running",
          "it is not running",
          "is not running (jobDeploymentStatus VALUE), and KubeRay suspends only a RayJob that"
              + " runs");

  private static final PreFlightCheck JOB_SET_UNFINISHED =
      new PreFlightCheck(
          "finished",
          "it has finished",
          "has finished (VALUE), and its last pods are terminating",
          "/status/terminalState",
          value -> value.filter(text -> !text.equals("\"\"")).isPresent());

  private static final String MAX_RETRY = "/spec/maxRetry";

  /** Volcano leaves it out while it is zero. */
  private static final String RETRY_COUNT = "/status/retryCount";

  private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");

  private static final PreFlightCheck VOLCANO_JOB_RUNS =
      PreFlightCheck.unlessOneOf(
          VolcanoJob.PHASE,
          Set.of(VolcanoJob.RUNNING),
          "not-running",
          "it is not running",
          "is not running (phase VALUE), and a Job is aborted only while it runs");

  private static final PreFlightCheck VOLCANO_JOB_CAN_RESUME =
      new PreFlightCheck(
          "no-retry-left",
          "a resume would use up its last retry",
          "could not be resumed: a resume counts as one of spec.maxRetry (VALUE), and Volcano fails"
              + " a Job that has reached it",
          List.of(MAX_RETRY, RETRY_COUNT),
          SuspendableKinds::wouldFailOnResume);

  /** Kinds that their own field suspends. */
  private static final List<OwnerKind> BY_THEIR_FIELD =
      Stream.concat(
              Stream.of(
                  suspendable("Job.batch")
                      .below("CronJob.batch")
                      .withEffect(
                          "the state of running pods; finished indexes and retries are kept, and a CronJob with"
                              + " concurrencyPolicy Forbid skips its runs meanwhile",
                          "all pods that have not finished; activeDeadlineSeconds begins again")
                      .refusing(managedBy(MANAGED_BY, "kubernetes.io/job-controller"))
                      .refusing(UNFINISHED),
                  suspendable("JobSet.jobset.x-k8s.io")
                      .refusing(managedBy(MANAGED_BY, "jobset.sigs.k8s.io/jobset-controller"))
                      .refusing(JOB_SET_UNFINISHED),
                  suspendable("TrainJob.trainer.kubeflow.org")
                      .refusing(managedBy(MANAGED_BY, "trainer.kubeflow.org/trainjob-controller")),
                  suspendable("RayCluster.ray.io")
                      // KubeRay wakes a suspended cluster only by an explicit false.
                      .resumedBy("false")
                      .withEffect(
                          "head and workers with the object store, actors and dashboard",
                          "an empty cluster of the same size")
                      .refusing(managedBy(MANAGED_BY, "ray.io/kuberay-operator")),
                  suspendable("RayJob.ray.io")
                      .withEffect(FROM_THE_START.lost(), "a new run in a new cluster")
                      .refusing(managedBy(MANAGED_BY, "ray.io/kuberay-operator"))
                      .refusing(RAY_JOB_SHUTS_DOWN, RAY_JOB_HAS_OWN_CLUSTER, RAY_JOB_RUNS),
                  suspendable("RayService.ray.io")
                      .withEffect(
                          "its cluster; requests fail", "a new cluster, which is deployed again")
                      .refusing(managedBy(MANAGED_BY, "ray.io/kuberay-operator")),
                  suspendable("SparkApplication.sparkoperator.k8s.io")
                      .below("ScheduledSparkApplication.sparkoperator.k8s.io")
                      .withEffect(FROM_THE_START.lost(), FROM_THE_START.restored())),
              Stream.of("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob", "MPIJob")
                  .map(SuspendableKinds::kubeflow))
          .toList();

  /** Suspends an owner; what Kueue queues, by the Workload that Kueue keeps for it. */
  public static final OwnerAction ACTION =
      new OwnerAction(
          "suspend",
          "suspended",
          Stream.of(Stream.of(queued()), BY_THEIR_FIELD.stream(), Stream.of(volcanoJob()))
              .flatMap(kinds -> kinds)
              .toList());

  private SuspendableKinds() {}

  private static OwnerKind queued() {
    return OwnerKind.of(
            "Workload.kueue.x-k8s.io",
            "/spec/active",
            "false",
            new StopEffect(
                "the state of the processes since their last checkpoint",
                "its place in the queue: the pods start when Kueue admits it again"))
        .below(
            BY_THEIR_FIELD.stream()
                .flatMap(
                    kind -> Stream.concat(Stream.of(kind.qualifiedKind()), kind.below().stream()))
                .toArray(String[]::new));
  }

  private static OwnerKind volcanoJob() {
    return OwnerKind.of(
            VolcanoJob.KIND,
            VolcanoJob.PHASE,
            VolcanoJob.ABORTED,
            new StopEffect(
                "the state of running pods; pods that have succeeded are kept",
                "all other pods; Volcano counts this as one of maxRetry"))
        .byCommand()
        .refusing(VOLCANO_JOB_RUNS, VOLCANO_JOB_CAN_RESUME);
  }

  /** Volcano fails a Job whose resumes and restarts have reached the maximum. */
  private static boolean wouldFailOnResume(OwnerDetails details) {
    Optional<String> maximum = details.field(MAX_RETRY);
    String count = details.field(RETRY_COUNT).orElse("0");
    return maximum.isEmpty()
        || !NUMBER.matcher(maximum.get()).matches()
        || !NUMBER.matcher(count).matches()
        || Long.parseLong(count) + 1 >= Long.parseLong(maximum.get());
  }

  private static OwnerKind suspendable(String qualifiedKind) {
    return OwnerKind.of(qualifiedKind, SUSPEND, "true", FROM_CHECKPOINTS).refusing(NOT_QUEUED);
  }

  /** The training operator serves all of them, the MPI operator a newer version of MPIJob. */
  private static OwnerKind kubeflow(String kind) {
    return OwnerKind.of(kind + ".kubeflow.org", "/spec/runPolicy/suspend", "true", FROM_CHECKPOINTS)
        .refusing(NOT_QUEUED)
        .refusing(
            managedBy(
                "/spec/runPolicy/managedBy",
                "kubeflow.org/training-operator",
                "kubeflow.org/mpi-operator"));
  }

  private static PreFlightCheck managedBy(String path, String... own) {
    return PreFlightCheck.ifOtherThan(
        path,
        Set.copyOf(Stream.of(own).map(name -> '"' + name + '"').toList()),
        "managed-elsewhere",
        "another controller manages it",
        "is managed by VALUE, which may not know spec.suspend");
  }
}

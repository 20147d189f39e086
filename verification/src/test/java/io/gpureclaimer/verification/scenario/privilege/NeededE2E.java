package io.gpureclaimer.verification.scenario.privilege;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.verification.scenario.harness.AuditLog;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.PodHistory;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One reclaimer with all the rights to watch, to warn and to evict, and for each of them one
 * without it. What changes owners is switched off, as its roles are in other manifests. Each has a
 * namespace and a Lease of its own, and a Prometheus that knows no other pod than its own one: they
 * see each other's pods, and leave them alone.
 */
@Tag("nightly")
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NeededE2E {
  private static final Rights SHIPPED = Rights.of(Manifest.shipped("reclaimer-rbac.yaml"));
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(8), Duration.ofSeconds(6));
  private static final String POD = "idle";
  private static final int STARTING_AT_ONCE = 5;

  private final AuditLog audit = OwnCluster.orSkip().auditLog();
  private final List<ReclaimAttempt> tries = new ArrayList<>();

  /** One reclaimer that goes through its ladder, as far as it gets. */
  record ReclaimAttempt(Optional<Grant> missing, TestNamespace tenant, Replica replica) {
    @Override
    public String toString() {
      return missing.map(grant -> "without " + grant).orElse("with all");
    }

    AttemptOutcome outcome() {
      List<Pod> history = tenant.history().of(POD);
      return new AttemptOutcome(
          replica.get("/ready").statusCode() == 200,
          tenant.notices(POD).stream().map(Event::getReason).distinct().toList(),
          history.stream().anyMatch(PodHistory::isWarned),
          history.stream().anyMatch(PodHistory::isEvicted));
    }
  }

  /** How far one got. */
  record AttemptOutcome(boolean ready, List<String> reported, boolean recorded, boolean evicted) {
    static final AttemptOutcome NOT_READY = new AttemptOutcome(false, List.of(), false, false);
    static final AttemptOutcome READY = new AttemptOutcome(true, List.of(), false, false);
    static final AttemptOutcome REPORTED =
        new AttemptOutcome(true, List.of("GPUIdleWarned"), false, false);
    static final AttemptOutcome WARNED =
        new AttemptOutcome(true, List.of("GPUIdleWarned"), true, false);
    static final AttemptOutcome EVICTED =
        new AttemptOutcome(true, List.of("GPUIdleWarned", "GPUReclaimed"), true, true);
  }

  NeededE2E(TestCluster cluster, Replicas replicas) {
    // The last one has all: when its pod goes, the turn of each of the others has come.
    var cases =
        new ArrayList<>(
            SHIPPED.grants().stream()
                .filter(grant -> !isForOthers(grant))
                .map(Optional::of)
                .toList());
    cases.add(Optional.empty());
    cluster.applyKept(Manifest.shipped("00-reclamations.yaml"));
    cluster.gpus(cases.size());
    List<TestNamespace> tenants = cases.stream().map(missing -> tenant(missing, cluster)).toList();
    for (int i = 0; i < cases.size(); i++) {
      TestNamespace tenant = tenants.get(i);
      StubPrometheus prometheus = replicas.prometheus();
      prometheus.showsIdle(tenant.awaitReady(POD));
      String namespace = tenant.namespace();
      Replica replica =
          replicas.start(
              namespace, prometheus, PACE, namespace, "gpu-reclaimer", "actions.enabled=evict");
      tries.add(new ReclaimAttempt(cases.get(i), tenant, replica));
      if (i % STARTING_AT_ONCE == 0) {
        replica.awaitStarted();
      }
    }
    complete().tenant().history().awaitEvicted(POD);
    complete().replica().awaitLine("evict", "done");
  }

  /** Used only while a pod that requests GPUs is pending, or for records of earlier actions. */
  private static boolean isForOthers(Grant grant) {
    return switch (grant.resource()) {
      case "reclamations" -> !grant.verb().equals("create");
      case "reclamations/status" -> !grant.verb().equals("patch");
      case "clusterqueues",
          "localqueues",
          "nodeclaims",
          "podgroups",
          "provisioningrequests",
          "resourcequotas" ->
          true;
      case "events" -> !grant.verb().equals("create");
      default -> false;
    };
  }

  /** A namespace with a pod that holds a GPU, and with an account of the reclaimer. */
  private static TestNamespace tenant(Optional<Grant> missing, TestCluster cluster) {
    String name = missing.map(Grant::toString).orElse("all").replaceAll("[^a-z]", "-");
    TestNamespace tenant = TestNamespace.with(cluster, name, Map.of(Annotations.MODE, "always"));
    SHIPPED
        .in(tenant.namespace(), grant -> !Optional.of(grant).equals(missing))
        .objects()
        .forEach(cluster::apply);
    tenant.create(POD, Map.of());
    return tenant;
  }

  private ReclaimAttempt complete() {
    return tries.getLast();
  }

  Stream<ReclaimAttempt> incomplete() {
    return tries.stream().filter(one -> one.missing().isPresent());
  }

  @Test
  void evicts_andIsRefusedNothing_withAllOfThem() {
    assertThat(complete().outcome()).isEqualTo(AttemptOutcome.EVICTED);
    assertThat(audit.of(complete().replica())).isNotEmpty().noneMatch(entry -> entry.code() == 403);
  }

  @ParameterizedTest
  @MethodSource("incomplete")
  void comesLessFar_andSaysWhatItMayNotDo(ReclaimAttempt incomplete) {
    Grant missing = incomplete.missing().orElseThrow();

    incomplete.replica().awaitLine(complaint(missing));
    assertThat(incomplete.outcome()).isIn(expectedWithout(missing));
  }

  /** Of a refused watch the client knows the status and not the words. */
  private static String complaint(Grant missing) {
    return missing.verb().equals("watch")
        ? missing
            + ": the list is complete, but the watch does not begin: the API server answered 403"
        : "cannot " + missing.verb() + " resource \"" + missing.resource() + "\"";
  }

  private static List<AttemptOutcome> expectedWithout(Grant grant) {
    return switch (grant.toString()) {
      case "list pods",
          "watch pods",
          "list namespaces",
          "watch namespaces",
          "list nodes",
          "watch nodes" ->
          List.of(AttemptOutcome.NOT_READY);
      case "get leases", "create leases", "create events" -> List.of(AttemptOutcome.READY);
      case "patch pods" -> List.of(AttemptOutcome.REPORTED);
      case "get pods",
          "get namespaces",
          "create reclamations",
          "patch reclamations/status",
          "create pods/eviction" ->
          List.of(AttemptOutcome.WARNED);
      // It leads from the creation of the Lease until it should have renewed it: a short time,
      // which may end at any step.
      case "update leases" ->
          List.of(AttemptOutcome.READY, AttemptOutcome.REPORTED, AttemptOutcome.WARNED);
      default -> throw new IllegalStateException("what does it need to " + grant + " for?");
    };
  }
}

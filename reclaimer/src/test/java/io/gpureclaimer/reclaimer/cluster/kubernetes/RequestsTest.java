package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bodies as they go over the wire. */
class RequestsTest {
  private static final PodView POD =
      new PodView(
          new PodRef("ml", "train-0", "u1"),
          "7",
          PodPhase.RUNNING,
          false,
          Optional.of("node-a"),
          Accelerators.whole(1),
          Optional.empty(),
          Map.of(),
          0,
          Optional.empty(),
          Optional.empty(),
          Placement.ANYWHERE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          PodTraits.NONE,
          Optional.empty(),
          Optional.empty(),
          Map.of());

  @Test
  void evictsOneVersionOfOnePod() {
    assertThat(json(PodRequests.eviction(POD, false, "policy/v1")))
        .isEqualTo(
            """
            {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"train-0",\
            "namespace":"ml"},"deleteOptions":{"apiVersion":"v1","kind":"DeleteOptions",\
            "preconditions":{"resourceVersion":"7","uid":"u1"}}}\
            """);
  }

  @Test
  void rehearsesOnTheServer() {
    assertThat(json(PodRequests.eviction(POD, true, "policy/v1")))
        .isEqualTo(
            """
            {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"train-0",\
            "namespace":"ml"},"deleteOptions":{"apiVersion":"v1","kind":"DeleteOptions",\
            "dryRun":["All"],"preconditions":{"resourceVersion":"7","uid":"u1"}}}\
            """);
  }

  @Test
  void annotatesOneVersionOfOnePod() {
    assertThat(PodRequests.annotations(POD, Map.of("a", Optional.of("say \"hi\""))))
        .isEqualTo(
            """
            {"metadata":{"uid":"u1","resourceVersion":"7","annotations":{"a":"say \\"hi\\""}}}\
            """);
  }

  @Test
  void removesAnAnnotationWithNull() {
    assertThat(PodRequests.annotations(POD, Map.of("a", Optional.empty())))
        .isEqualTo(
            """
            {"metadata":{"uid":"u1","resourceVersion":"7","annotations":{"a":null}}}\
            """);
  }

  @Test
  void reportsOnThePod() {
    Instant at = Instant.parse("2026-01-01T00:00:00.5Z");

    assertThat(
            json(
                PodRequests.event(
                    ObjectRef.of(POD.ref()), new Notice("GpuIdle", "Idle for 2 h.", true), at)))
        .isEqualTo(
            """
            {"apiVersion":"v1","kind":"Event","metadata":{"generateName":"train-0.",\
            "namespace":"ml"},"count":1,"firstTimestamp":"2026-01-01T00:00:00Z",\
            "involvedObject":{"apiVersion":"v1","kind":"Pod","name":"train-0","namespace":"ml",\
            "uid":"u1"},"lastTimestamp":"2026-01-01T00:00:00Z","message":"Idle for 2 h.",\
            "reason":"GpuIdle","reportingComponent":"gpu-reclaimer","source":{"component":"gpu-reclaimer"},\
            "type":"Warning"}\
            """);
  }

  @Test
  void keepsMessagesWithinTheLimitOfEvents() {
    Notice notice = new Notice("GpuIdle", "x".repeat(2_000), false);

    assertThat(PodRequests.event(ObjectRef.of(POD.ref()), notice, Instant.EPOCH).getMessage())
        .hasSize(1_024);
  }

  private static String json(Object body) {
    return new KubernetesSerialization().asJson(body);
  }
}

package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser.OfPod;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvisioningParserTest {
  private static final Instant AT = Instant.parse("2026-03-02T12:00:00Z");
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  @ParameterizedTest
  @CsvSource({
    "TriggeredScaleUp, cluster-autoscaler, Cluster Autoscaler, true",
    "NotTriggerScaleUp, cluster-autoscaler, Cluster Autoscaler, false",
    "Nominated, karpenter, Karpenter, true",
    "Nominated, eks-auto-mode/compute, Karpenter, true",
    "FailedScheduling, karpenter, Karpenter, false",
    "FailedScheduling, eks-auto-mode/compute, Karpenter, false"
  })
  void readsWhatAutoscalersSay(String reason, String source, String component, boolean provides) {
    assertThat(
            read(
                event(
                    "Pod",
                    reason,
                    "source: {component: " + source + "}",
                    "firstTimestamp: '2026-03-02T12:00:00Z'")))
        .contains(
            new OfPod(
                new PodRef("ml", "w", "uid-w"),
                new ProvisioningNotice(component, provides, AT, AT),
                Optional.empty()));
  }

  /** The second, as Karpenter writes it for a node that has registered. */
  @ParameterizedTest
  @CsvSource({
    "'Pod should schedule on: nodeclaim/gpu-qmhg4', gpu-qmhg4",
    "'Pod should schedule on: nodeclaim/gpu-qmhg4, node/ip-10-0-1-123.ec2.internal', gpu-qmhg4",
    "'Pod should schedule on: node/node-1', "
  })
  void readsTheNameOfTheNodeClaim(String message, @Nullable String name) {
    assertThat(
            read(
                event(
                    "Pod",
                    "Nominated",
                    "source: {component: karpenter}\nmessage: '" + message + "'",
                    "firstTimestamp: '2026-03-02T12:00:00Z'")))
        .map(OfPod::nodeClaim)
        .contains(Optional.ofNullable(name));
  }

  @ParameterizedTest
  @CsvSource({
    "Pod, FailedScheduling, default-scheduler",
    "Pod, FailedScheduling, volcano",
    "Pod, Scheduled, default-scheduler",
    "Node, Nominated, karpenter"
  })
  void readsNothingElse(String kind, String reason, String source) {
    assertThat(
            read(
                event(
                    kind,
                    reason,
                    "source: {component: " + source + "}",
                    "firstTimestamp: '2026-03-02T12:00:00Z'")))
        .isEmpty();
  }

  @Test
  void readsTheTimesOfASeries_andOfTheNewerApi() {
    assertThat(
            read(
                event(
                    "Pod",
                    "FailedScheduling",
                    "reportingComponent: karpenter",
                    "eventTime: '2026-03-02T12:00:00.000000Z'\n"
                        + "series: {count: 3, lastObservedTime: '2026-03-02T12:05:00.000000Z'}")))
        .map(OfPod::announcement)
        .contains(new ProvisioningNotice("Karpenter", false, AT, AT.plusSeconds(300)));
  }

  @ParameterizedTest
  @CsvSource({
    "'{type: Accepted, status: \"True\", lastTransitionTime: \"2026-03-02T12:00:00Z\"}', true",
    "'{type: Accepted, status: \"True\", lastTransitionTime: \"2026-03-02T11:00:00Z\"}, {type:"
        + " Provisioned, status: \"True\", lastTransitionTime: \"2026-03-02T12:00:00Z\"}', true",
    "'{type: Accepted, status: \"True\", lastTransitionTime: \"2026-03-02T11:00:00Z\"}, {type:"
        + " Failed, status: \"True\", lastTransitionTime: \"2026-03-02T12:00:00Z\"}', false",
    "'{type: Provisioned, status: \"True\", lastTransitionTime: \"2026-03-02T12:00:00Z\"}, {type:"
        + " BookingExpired, status: \"True\", lastTransitionTime: \"2026-03-02T12:00:00Z\"}', false"
  })
  void readsTheNewestConditionOfAProvisioningRequest(String conditions, boolean provides) {
    assertThat(ProvisioningParser.of(request(conditions)))
        .contains(new ProvisioningNotice("ProvisioningRequest big", provides, AT, AT));
  }

  /** The first three as Cluster Autoscaler writes them, the last as other controllers do. */
  @ParameterizedTest
  @CsvSource({
    "11:59:00, CapacityIsNotFound, false",
    "12:00:00, CapacityIsNotFound, false",
    "12:00:00, FailedToCheckCapacity, false",
    "12:00:00, NotProvisioned, true"
  })
  void readsThatNoCapacityIsFound_butNotThatItIsStillProvisioned(
      String accepted, String reason, boolean provides) {
    assertThat(
            ProvisioningParser.of(
                request(
                    "{type: Accepted, status: 'True', lastTransitionTime: '2026-03-02T"
                        + accepted
                        + "Z'}, {type: Provisioned, status: 'False', reason: "
                        + reason
                        + ", lastTransitionTime: '2026-03-02T12:00:00Z'}")))
        .contains(new ProvisioningNotice("ProvisioningRequest big", provides, AT, AT));
  }

  @Test
  void readsThatARequestIsTriedAgain() {
    assertThat(
            ProvisioningParser.of(
                request(
                    "{type: Accepted, status: 'True', lastTransitionTime:"
                        + " '2026-03-02T12:00:00Z'}, {type: Provisioned, status: 'False', reason:"
                        + " CapacityIsNotFound, lastTransitionTime: '2026-03-02T11:58:00Z'}")))
        .contains(new ProvisioningNotice("ProvisioningRequest big", true, AT, AT));
  }

  @Test
  void readsNothingOfARequestThatIsNotAccepted() {
    assertThat(
            ProvisioningParser.of(
                request(
                    "{type: Accepted, status: 'False', lastTransitionTime:"
                        + " '2026-03-02T12:00:00Z'}")))
        .isEmpty();
    assertThat(ProvisioningParser.of(request(""))).isEmpty();
  }

  private static Optional<OfPod> read(Event event) {
    return ProvisioningParser.of(event);
  }

  private static Event event(String kind, String reason, String reporter, String times) {
    return YAML.unmarshal(
        """
        kind: Event
        apiVersion: v1
        metadata: {namespace: ml, name: e, creationTimestamp: '2026-03-02T12:30:00Z'}
        involvedObject: {kind: KIND, namespace: other, name: w, uid: uid-w}
        reason: REASON
        """
                .replace("KIND", kind)
                .replace("REASON", reason)
            + reporter
            + "\n"
            + times
            + "\n",
        Event.class);
  }

  private static GenericKubernetesResource request(String conditions) {
    return YAML.unmarshal(
        """
        kind: ProvisioningRequest
        apiVersion: autoscaling.x-k8s.io/v1
        metadata: {namespace: ml, name: big}
        status: {conditions: [CONDITIONS]}
        """
            .replace("CONDITIONS", conditions),
        GenericKubernetesResource.class);
  }
}

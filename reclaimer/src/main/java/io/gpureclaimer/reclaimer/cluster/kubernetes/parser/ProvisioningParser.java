package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.EventSource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads what autoscalers announce: in Events on pods, and in ProvisioningRequests. */
public final class ProvisioningParser {
  private static final List<String> KARPENTERS = List.of("karpenter", "eks-auto-mode");

  private static final Set<String> PROVIDES = Set.of("Accepted", "Provisioned");
  private static final Set<String> REFUSES = Set.of("Failed", "BookingExpired", "CapacityRevoked");

  /**
   * Reasons of Cluster Autoscaler for {@code Provisioned=False}. It tries again later, and sets
   * {@code Accepted} again each time. Others use that status while they provision.
   */
  private static final Set<String> NO_CAPACITY =
      Set.of("CapacityIsNotFound", "FailedToCheckCapacity");

  /** In the message of Karpenter's Event {@code Nominated}, sometimes before the name of a node. */
  private static final Pattern NODE_CLAIM = Pattern.compile("nodeclaim/([-.a-z0-9]+)");

  private ProvisioningParser() {}

  /**
   * An announcement for one pod.
   *
   * @param pod which one; only Events of its own namespace can be about it
   * @param nodeClaim name of the NodeClaim whose node Karpenter announces, where it says so
   */
  public record OfPod(PodRef pod, ProvisioningNotice announcement, Optional<String> nodeClaim) {}

  /** What an Event announces; empty for all others. */
  public static Optional<OfPod> of(Event event) {
    ObjectReference about = event.getInvolvedObject();
    String reason = MetadataParser.asEmpty(event.getReason());
    Optional<String> component =
        switch (reason) {
          case "TriggeredScaleUp", "NotTriggerScaleUp" ->
              Optional.of(ProvisioningNotice.CLUSTER_AUTOSCALER);
          case "Nominated" -> Optional.of(ProvisioningNotice.KARPENTER);
          case "FailedScheduling" ->
              isOfKarpenter(event) ? Optional.of(ProvisioningNotice.KARPENTER) : Optional.empty();
          default -> Optional.empty();
        };
    List<Instant> times = times(event);
    if (component.isEmpty()
        || times.isEmpty()
        || about.getUid() == null
        || about.getName() == null
        || !"Pod".equals(about.getKind())) {
      return Optional.empty();
    }
    var pod = new PodRef(event.getMetadata().getNamespace(), about.getName(), about.getUid());
    boolean provides = reason.equals("TriggeredScaleUp") || reason.equals("Nominated");
    return Optional.of(
        new OfPod(
            pod,
            new ProvisioningNotice(component.get(), provides, times.getFirst(), times.getLast()),
            provides ? nodeClaim(MetadataParser.asEmpty(event.getMessage())) : Optional.empty()));
  }

  private static Optional<String> nodeClaim(String message) {
    return NODE_CLAIM.matcher(message).results().map(found -> found.group(1)).findFirst();
  }

  private static boolean isOfKarpenter(Event event) {
    String reporter =
        Optional.ofNullable(event.getSource())
            .map(EventSource::getComponent)
            .filter(name -> !name.isEmpty())
            .orElseGet(() -> MetadataParser.asEmpty(event.getReportingComponent()));
    return KARPENTERS.stream().anyMatch(reporter::startsWith);
  }

  /** All times that it has, the earliest first. */
  private static List<Instant> times(Event event) {
    Optional<EventSeries> series = Optional.ofNullable(event.getSeries());
    return Stream.of(
            event.getFirstTimestamp(),
            event.getLastTimestamp(),
            text(event.getEventTime()),
            series.map(EventSeries::getLastObservedTime).map(ProvisioningParser::text).orElse(null),
            event.getFirstTimestamp() == null && event.getEventTime() == null
                ? event.getMetadata().getCreationTimestamp()
                : null)
        .filter(Objects::nonNull)
        .map(OffsetDateTime::parse)
        .map(OffsetDateTime::toInstant)
        .sorted()
        .toList();
  }

  private static @Nullable String text(@Nullable MicroTime time) {
    return time == null ? null : time.getTime();
  }

  /**
   * What a ProvisioningRequest announces for the pods that consume it. The newest of its conditions
   * decides; without one it announces nothing.
   */
  public static Optional<ProvisioningNotice> of(GenericKubernetesResource request) {
    JsonNode conditions = ObjectParser.tree(request).at("/status/conditions");
    return StreamSupport.stream(conditions.spliterator(), false)
        .filter(condition -> !condition.path("lastTransitionTime").asText().isEmpty())
        .flatMap(condition -> of(condition, request.getMetadata().getName()).stream())
        .max(
            Comparator.comparing(ProvisioningNotice::last).thenComparing(each -> !each.provides()));
  }

  private static Optional<ProvisioningNotice> of(JsonNode condition, String name) {
    String type = condition.path("type").asText();
    boolean holds = condition.path("status").asText().equals("True");
    boolean provides = holds && PROVIDES.contains(type);
    boolean refuses = holds ? REFUSES.contains(type) : hasNoCapacity(type, condition);
    if (!provides && !refuses) {
      return Optional.empty();
    }
    Instant at = OffsetDateTime.parse(condition.path("lastTransitionTime").asText()).toInstant();
    return Optional.of(new ProvisioningNotice("ProvisioningRequest " + name, provides, at, at));
  }

  private static boolean hasNoCapacity(String type, JsonNode condition) {
    return type.equals("Provisioned")
        && condition.path("status").asText().equals("False")
        && NO_CAPACITY.contains(condition.path("reason").asText());
  }
}

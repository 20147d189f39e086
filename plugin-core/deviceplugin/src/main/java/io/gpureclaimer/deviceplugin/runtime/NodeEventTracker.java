package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth;
import io.gpureclaimer.deviceplugin.nodehealth.NodeHealth.UnhealthyStatus;
import io.gpureclaimer.deviceplugin.runtime.ConditionDebouncer.NodeCondition;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tracks node and device conditions, and decides which Events are due. Confined to one thread. */
final class NodeEventTracker {
  private static final String CONFIGURATION = "the configuration";
  private static final int MOST_NAMES = 8;

  /** A driver that answers needs less for its first answer. */
  private static final Duration UNKNOWN_AFTER = Duration.ofSeconds(30);

  private final DeviceConditions conditions;
  private final ConditionDebouncer devices = new ConditionDebouncer();
  private final ConditionDebouncer configuration = new ConditionDebouncer();
  private @Nullable Instant began;

  NodeEventTracker(Function<Entity, Condition> health) {
    this.conditions = new DeviceConditions(health);
  }

  /** What is offered now, and what there is. */
  void offered(PluginView view, NodeInventory inventory, Instant at) {
    devices.update(conditions.of(view, inventory), at);
  }

  /**
   * The events that are due now.
   *
   * @param node on the Node
   * @param holders on the pods that hold a device
   */
  record DueEvents(List<NodeEvent> node, List<NodeEvent> holders) {
    DueEvents {
      node = List.copyOf(node);
      holders = List.copyOf(holders);
    }

    boolean isEmpty() {
      return node.isEmpty() && holders.isEmpty();
    }

    DueEvents and(DueEvents later) {
      return new DueEvents(
          Stream.concat(node.stream(), later.node.stream()).toList(),
          Stream.concat(holders.stream(), later.holders.stream()).toList());
    }
  }

  /** The events that are due now. */
  DueEvents due(Configuration.ActiveConfiguration standing, Instant at) {
    List<NodeEvent> events = new ArrayList<>();
    ConditionDebouncer.Changes news = devices.changes(at);
    inGroups(news.began(), (names, condition) -> unhealthy(names, condition, at), events);
    Map<String, NodeCondition> back = new TreeMap<>(news.over());
    back.keySet().removeIf(uuid -> !conditions.isOffered(uuid));
    inGroups(back, (names, condition) -> healthy(names, condition, at), events);
    configuration(standing, at, events);
    return new DueEvents(events, forHolders(news, at));
  }

  /** One Event for each device: a pod must not have to guess which of several is its own. */
  private List<NodeEvent> forHolders(ConditionDebouncer.Changes news, Instant at) {
    List<NodeEvent> events = new ArrayList<>();
    news.began()
        .forEach(
            (uuid, condition) -> {
              if (condition.unhealthy()) {
                String message = " of this pod is unhealthy: " + condition.text();
                events.add(forHolder("GpuUnhealthy", true, uuid, message, condition, at));
              }
            });
    news.over()
        .forEach(
            (uuid, condition) -> {
              if (condition.unhealthy() && conditions.isOffered(uuid)) {
                String message = " of this pod is healthy again; it was: " + condition.text();
                events.add(forHolder("GpuHealthy", false, uuid, message, condition, at));
              }
            });
    return events;
  }

  private NodeEvent forHolder(
      String reason,
      boolean warning,
      String uuid,
      String message,
      NodeCondition condition,
      Instant at) {
    return new NodeEvent(
        reason, warning, conditions.name(uuid) + message, incident(condition), at, uuid);
  }

  /**
   * What the Node's condition says now; empty while that is not settled, so that what it says
   * already stays.
   */
  Optional<NodeHealth> health(Instant at) {
    if (began == null) {
      began = at;
    }
    Map<String, NodeCondition> unhealthy = new TreeMap<>(devices.reported());
    unhealthy.values().removeIf(condition -> !condition.unhealthy());
    if (!unhealthy.isEmpty()) {
      return Optional.of(unhealthyReport(unhealthy));
    }
    if (devices.pending().stream().anyMatch(NodeCondition::unhealthy)) {
      return Optional.empty();
    }
    int offered = conditions.offered().size();
    if (offered > 0) {
      return Optional.of(
          new NodeHealth(
              UnhealthyStatus.FALSE, "AllGpusHealthy", offered + " of " + offered + " healthy"));
    }
    return at.isBefore(began.plus(UNKNOWN_AFTER))
        ? Optional.empty()
        : Optional.of(
            new NodeHealth(
                UnhealthyStatus.UNKNOWN,
                "NoGpuOffered",
                "No GPU has been polled and offered since the agent started; see /status"));
  }

  private NodeHealth unhealthyReport(Map<String, NodeCondition> unhealthy) {
    Set<String> all = new HashSet<>(conditions.offered());
    all.addAll(unhealthy.keySet());
    int more = unhealthy.size() - MOST_NAMES;
    return new NodeHealth(
        UnhealthyStatus.TRUE,
        "GpusUnhealthy",
        unhealthy.size()
            + " of "
            + all.size()
            + " unhealthy: "
            + unhealthy.entrySet().stream()
                .map(one -> conditions.name(one.getKey()) + ": " + one.getValue().text())
                .sorted()
                .limit(MOST_NAMES)
                .collect(Collectors.joining("; "))
            + (more > 0 ? "; and " + more + " more" : ""));
  }

  private void configuration(
      Configuration.ActiveConfiguration standing, Instant at, List<NodeEvent> into) {
    String problems = String.join("; ", standing.problems());
    configuration.update(
        problems.isEmpty()
            ? Map.of()
            : Map.of(CONFIGURATION, new NodeCondition(problems, false, null)),
        at);
    ConditionDebouncer.Changes news = configuration.changes(at);
    news.began()
        .values()
        .forEach(
            condition ->
                into.add(
                    event(
                        "DevicePluginConfigRejected",
                        true,
                        condition.text()
                            + (standing.since() == null
                                ? "; no GPU is offered"
                                : "; " + standing.name() + " stays in force"),
                        condition,
                        at)));
    news.over()
        .values()
        .forEach(
            condition ->
                into.add(
                    event(
                        "DevicePluginConfigInForce",
                        false,
                        standing.name() + " is in force",
                        condition,
                        at)));
  }

  /** One Event for all devices of which the same is wrong since the same moment. */
  private void inGroups(
      Map<String, NodeCondition> news,
      BiFunction<List<String>, NodeCondition, NodeEvent> event,
      List<NodeEvent> into) {
    Map<String, List<String>> groups = new TreeMap<>();
    news.forEach(
        (uuid, condition) ->
            groups.computeIfAbsent(condition.toString(), _ -> new ArrayList<>()).add(uuid));
    groups
        .values()
        .forEach(
            uuids ->
                into.add(
                    event.apply(
                        uuids.stream().map(conditions::name).sorted().toList(),
                        Objects.requireNonNull(news.get(uuids.getFirst())))));
  }

  private static NodeEvent unhealthy(List<String> names, NodeCondition condition, Instant at) {
    return event(
        "GpuUnhealthy",
        true,
        "No new pod gets " + all(names) + ": " + condition.text(),
        condition,
        at);
  }

  private static NodeEvent healthy(List<String> names, NodeCondition condition, Instant at) {
    return event(
        "GpuHealthy",
        false,
        "New pods get " + all(names) + " again, of which this is over: " + condition.text(),
        condition,
        at);
  }

  private static NodeEvent event(
      String reason, boolean warning, String message, NodeCondition condition, Instant at) {
    return new NodeEvent(reason, warning, message, incident(condition), at);
  }

  private static String incident(NodeCondition condition) {
    Instant since = condition.since();
    return since == null ? "" : since.toString();
  }

  private static String all(List<String> names) {
    if (names.size() == 1) {
      return names.getFirst();
    }
    String list = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
    int more = names.size() - MOST_NAMES;
    return "these "
        + names.size()
        + " devices: "
        + list
        + (more > 0 ? " and " + more + " more" : "");
  }
}

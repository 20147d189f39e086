package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
import io.gpureclaimer.deviceplugin.runtime.ConditionDebouncer.NodeCondition;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What people have to know of this node: which devices no new pod gets, and why; that it gets them
 * again; and that a configuration was refused. Confined to one thread.
 */
final class Announcements {
  private static final String CONFIGURATION = "the configuration";
  private static final int MOST_NAMES = 8;

  private final DeviceConditions conditions;
  private final ConditionDebouncer devices = new ConditionDebouncer();
  private final ConditionDebouncer configuration = new ConditionDebouncer();

  Announcements(Function<Entity, Condition> health) {
    this.conditions = new DeviceConditions(health);
  }

  /** What is offered now, and what there is. */
  void offered(PluginView view, NodeInventory inventory, Instant at) {
    devices.update(conditions.of(view, inventory), at);
  }

  /** What is to be told now. */
  List<NodeEvent> due(Configuration.Standing standing, Instant at) {
    List<NodeEvent> events = new ArrayList<>();
    ConditionDebouncer.Changes news = devices.changes(at);
    inGroups(news.began(), (names, condition) -> unhealthy(names, condition, at), events);
    Map<String, NodeCondition> back = new TreeMap<>(news.over());
    back.keySet().removeIf(uuid -> !conditions.isOffered(uuid));
    inGroups(back, (names, condition) -> healthy(names, condition, at), events);
    configuration(standing, at, events);
    return events;
  }

  private void configuration(Configuration.Standing standing, Instant at, List<NodeEvent> into) {
    String problems = String.join("; ", standing.problems());
    configuration.update(
        problems.isEmpty() ? Map.of() : Map.of(CONFIGURATION, new NodeCondition(problems, null)),
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
      BiFunction<List<String>, NodeCondition, NodeEvent> telling,
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
                    telling.apply(
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
    Instant since = condition.since();
    return new NodeEvent(reason, warning, message, since == null ? "" : since.toString(), at);
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

package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.health.device.Told;
import io.gpureclaimer.deviceplugin.nodeevents.NodeEvent;
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

  private final DeviceTroubles troubles;
  private final Settled devices;
  private final Settled configuration = new Settled(Map.of());

  /**
   * @param before what was told of devices by an earlier run, and not yet that it is over
   */
  Announcements(Function<Entity, Condition> health, Map<String, Told> before) {
    this.troubles = new DeviceTroubles(health, before);
    Map<String, Trouble> wrong = new TreeMap<>();
    before.forEach((uuid, told) -> wrong.put(uuid, new Trouble(told.text(), told.since())));
    this.devices = new Settled(wrong);
  }

  /** What is offered now, and what there is. */
  void offered(PluginView view, NodeInventory inventory, Instant at) {
    devices.saw(troubles.of(view, inventory), at);
  }

  /** What is to be told now. */
  List<NodeEvent> due(Configuration.Standing standing, Instant at) {
    List<NodeEvent> events = new ArrayList<>();
    Settled.News news = devices.news(at);
    inGroups(news.began(), (names, trouble) -> unhealthy(names, trouble, at), events);
    Map<String, Trouble> back = new TreeMap<>(news.over());
    back.keySet().removeIf(uuid -> !troubles.isOffered(uuid));
    inGroups(back, (names, trouble) -> healthy(names, trouble, at), events);
    configuration(standing, at, events);
    return events;
  }

  /** What was told of devices, and not yet that it is over: for the next run. */
  Map<String, Told> told() {
    return troubles.remembered(devices.told());
  }

  private void configuration(Configuration.Standing standing, Instant at, List<NodeEvent> into) {
    String problems = String.join("; ", standing.problems());
    configuration.saw(
        problems.isEmpty() ? Map.of() : Map.of(CONFIGURATION, new Trouble(problems, null)), at);
    Settled.News news = configuration.news(at);
    news.began()
        .values()
        .forEach(
            trouble ->
                into.add(
                    event(
                        "DevicePluginConfigRejected",
                        true,
                        trouble.text()
                            + (standing.since() == null
                                ? "; no GPU is offered"
                                : "; " + standing.name() + " stays in force"),
                        trouble,
                        at)));
    news.over()
        .values()
        .forEach(
            trouble ->
                into.add(
                    event(
                        "DevicePluginConfigInForce",
                        false,
                        standing.name() + " is in force",
                        trouble,
                        at)));
  }

  /** One Event for all devices of which the same is wrong since the same moment. */
  private void inGroups(
      Map<String, Trouble> news,
      BiFunction<List<String>, Trouble, NodeEvent> telling,
      List<NodeEvent> into) {
    Map<String, List<String>> groups = new TreeMap<>();
    news.forEach(
        (uuid, trouble) ->
            groups.computeIfAbsent(trouble.toString(), _ -> new ArrayList<>()).add(uuid));
    groups
        .values()
        .forEach(
            uuids ->
                into.add(
                    telling.apply(
                        uuids.stream().map(troubles::name).sorted().toList(),
                        Objects.requireNonNull(news.get(uuids.getFirst())))));
  }

  private static NodeEvent unhealthy(List<String> names, Trouble trouble, Instant at) {
    return event(
        "GpuUnhealthy", true, "No new pod gets " + all(names) + ": " + trouble.text(), trouble, at);
  }

  private static NodeEvent healthy(List<String> names, Trouble trouble, Instant at) {
    return event(
        "GpuHealthy",
        false,
        "New pods get " + all(names) + " again, of which this is over: " + trouble.text(),
        trouble,
        at);
  }

  private static NodeEvent event(
      String reason, boolean warning, String message, Trouble trouble, Instant at) {
    Instant since = trouble.since();
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

package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.counters.CountersWatch.CountersStatus;
import io.gpureclaimer.exporter.exposition.EventSubscriptionStatus;
import io.gpureclaimer.exporter.exposition.SnapshotView;
import io.gpureclaimer.exporter.sample.DriverState.Down;
import io.gpureclaimer.exporter.sample.DriverState.Up;
import io.gpureclaimer.exporter.sample.FailingCalls;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * State of the agent as JSON: readiness, components, GPUs, allocations, unserved rows of the
 * counters file, and the device plugin. A value that is not known has no member. Pure.
 */
final class StatusJson {
  private final XidLog xids;
  private final CountersStatus counters;
  private final Optional<String> whyNoLedger;
  private final EventSubscriptionStatus subscriptions;

  StatusJson(
      XidLog xids,
      CountersStatus counters,
      Optional<String> whyNoLedger,
      EventSubscriptionStatus subscriptions) {
    this.xids = xids;
    this.counters = counters;
    this.whyNoLedger = whyNoLedger;
    this.subscriptions = subscriptions;
  }

  /** The running agent. */
  record AgentProgram(String version, Duration uptime) {}

  String of(
      AgentProgram program,
      Readiness readiness,
      Optional<SnapshotView> sampled,
      Optional<PluginStatus> plugin) {
    var json = JsonWriter.indented().beginObject();
    sampled.ifPresent(shown -> json.member("hostname", shown.snapshot().hostname()));
    json.member("version", program.version()).member("uptimeSeconds", program.uptime().toSeconds());
    switch (readiness) {
      case Readiness.Ready() -> json.member("ready", true);
      case Readiness.NotReady(var reason) -> json.member("ready", false).member("reason", reason);
    }
    sampled.ifPresent(shown -> sampled(shown, json));
    plugin.ifPresent(status -> DevicePluginJson.write(status, sampled, json));
    return json.endObject() + "\n";
  }

  private void sampled(SnapshotView shown, JsonWriter json) {
    Snapshot snapshot = shown.snapshot();
    json.name("sampling")
        .beginObject()
        .member("startedAt", snapshot.at().toString())
        .name("ageSeconds")
        .value(shown.age().toMillis() / 1000.0)
        .member("durationMilliseconds", snapshot.report().took().toMillis())
        .member("stale", shown.stale());
    if (snapshot.driver() instanceof Up) {
      json.member("gpus", snapshot.gpus().size()).member("gpusResponding", responding(snapshot));
    }
    json.name("components").beginArray();
    components(shown).forEach(component -> component.write(json));
    json.endArray();
    new SampledDevicesJson(shown, xids).write(json);
    unservedRows(shown, json);
    json.endObject();
  }

  /** An agent is ready while at least one GPU responds, so the number of the others matters. */
  private static long responding(Snapshot snapshot) {
    return snapshot.gpus().stream().filter(Answered.class::isInstance).count();
  }

  private List<Component> components(SnapshotView shown) {
    var all = new ArrayList<Component>();
    String pass =
        "started "
            + shown.age().toSeconds()
            + " s ago, took "
            + shown.snapshot().report().took().toMillis()
            + " ms";
    all.add(
        shown.stale()
            ? Component.problem("sampling pass", "stale", pass)
            : Component.ok("sampling pass", "fresh", pass));
    all.add(
        switch (shown.snapshot().driver()) {
          case Up up -> Component.ok("driver", "up", up.version().orElse("version unknown"));
          case Down(var reason) -> Component.problem("driver", "down", reason);
        });
    FailingCalls.gpusByCall(FailingCalls.in(shown.snapshot()))
        .forEach(
            (call, gpus) ->
                all.add(Component.problem("driver call " + call, "failing", "GPU " + gpus)));
    refused(
        shown.snapshot(),
        "utilization samples",
        "where they are a sign of work, allocations are not observed",
        gpu ->
            gpu.load() instanceof UtilizationSamples.Failed(var why)
                ? Optional.of(why)
                : Optional.empty(),
        all);
    refused(
        shown.snapshot(),
        "XIDs",
        "none is received, and none is reported as 0",
        gpu -> subscriptions.whyUnheard(gpu.device().uuid()),
        all);
    all.add(
        counters
            .refusal()
            .map(
                why ->
                    Component.problem(
                        "counters",
                        "newest refused",
                        counters.name() + "; newest content rejected: " + why))
            .orElseGet(() -> Component.ok("counters", "in force", counters.name()))
            .since(counters.inForceSince()));
    shown
        .unmatched()
        .devices()
        .ifPresent(why -> all.add(Component.problem("selected devices", "not there", why)));
    whyNoLedger.ifPresent(why -> all.add(Component.problem("ledger", "not kept", why)));
    addAttribution(shown, all);
    return all;
  }

  /** One component for each reason, with all GPUs that it applies to. */
  private static void refused(
      Snapshot snapshot,
      String source,
      String consequence,
      Function<Answered, Optional<String>> whyNot,
      List<Component> into) {
    Map<String, List<String>> gpusByReason = new TreeMap<>();
    for (var sample : snapshot.gpus()) {
      if (sample instanceof Answered gpu) {
        whyNot
            .apply(gpu)
            .ifPresent(
                why ->
                    gpusByReason
                        .computeIfAbsent(why, _ -> new ArrayList<>())
                        .add(Integer.toString(gpu.index())));
      }
    }
    gpusByReason.forEach(
        (why, gpus) ->
            into.add(
                Component.problem(
                    source,
                    "refused",
                    "GPU " + String.join(", ", gpus) + ": " + why + "; " + consequence)));
  }

  private static void addAttribution(SnapshotView shown, List<Component> into) {
    switch (shown.source()) {
      case NotConfigured() ->
          into.add(
              Component.info("attribution", "not configured", "see --kubernetes and --pods-file"));
      case OfFile(boolean understood) ->
          into.add(
              understood
                  ? Component.ok("pods file", "read", "")
                  : Component.problem(
                      "pods file", "not understood", "its last valid content applies"));
      case OfKubelet kubelet -> addKubelet(kubelet, into);
    }
  }

  private static void addKubelet(OfKubelet kubelet, List<Component> into) {
    into.add(
        switch (kubelet.contact()) {
          case KubeletContact.Answering() ->
              Component.ok("kubelet", "responding", unmapped(kubelet));
          case KubeletContact.Silent(var reason) ->
              Component.problem("kubelet", "not responding", reason);
          case KubeletContact.NeverAnswered(var reason) ->
              Component.problem("kubelet", "never responded", reason);
        });
    addWatch("API server, pods", kubelet.pods(), "watching", into);
    addWatch("API server, resource slices", kubelet.devices(), "watching", into);
    addWatch("API server, resource claims", kubelet.claims(), "responding", into);
  }

  private static void addWatch(String name, WatchState watch, String state, List<Component> into) {
    switch (watch) {
      case WatchState.NotEnabled() -> {}
      case WatchState.Synced() -> into.add(Component.ok(name, state, ""));
      case WatchState.NotSynced(var reason) -> into.add(Component.problem(name, "broken", reason));
    }
  }

  private static String unmapped(OfKubelet kubelet) {
    int devices = kubelet.unmapped().orElse(0);
    return devices == 0
        ? ""
        : devices
            + " allocated devices have an id of no device of this node, or belong to unknown"
            + " claims";
  }

  private static void unservedRows(SnapshotView shown, JsonWriter json) {
    json.name("unservedRows").beginArray();
    for (var row : shown.unmatched().rows()) {
      json.beginObject()
          .optionalMember("line", row.line())
          .member("name", row.name())
          .member("reason", row.reason())
          .endObject();
    }
    json.endArray();
  }
}

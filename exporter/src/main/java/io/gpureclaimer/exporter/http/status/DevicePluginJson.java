package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedDevice;
import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.kubelet.LatencyHistogram;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.runtime.Configuration;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.exposition.SnapshotView;
import io.gpureclaimer.exporter.sample.Holder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** State of the device plugin: its components, resources and devices, and checks of the node. */
final class DevicePluginJson {
  private DevicePluginJson() {}

  static void write(PluginStatus status, Optional<SnapshotView> sampled, JsonWriter json) {
    json.name("devicePlugin")
        .beginObject()
        .member("at", status.at().toString())
        .name("components")
        .beginArray();
    components(status).forEach(component -> component.write(json));
    json.endArray().name("resources").beginArray();
    status.kubelet().resources().forEach((name, state) -> resource(name.value(), state, json));
    json.endArray().name("devices").beginArray();
    for (AdvertisedResource resource : status.view().offer().resources().values()) {
      for (AdvertisedDevice portion : resource.portions()) {
        device(resource.name().value(), portion, status, sampled, json);
      }
    }
    json.endArray();
    node(status, json);
    json.endObject();
  }

  private static List<Component> components(PluginStatus status) {
    var view = status.view();
    var all = new ArrayList<Component>();
    all.add(configuration(view.configuration()));
    String down = view.driverDown();
    all.add(
        down == null
            ? Component.ok("driver", "responding", "")
            : Component.problem("driver", "down", down));
    String missing = status.kubelet().kubeletMissing();
    all.add(
        missing == null
            ? Component.ok("kubelet", "available", status.kubelet().selfCheck())
            : Component.problem("kubelet", "missing", missing));
    all.add(cdi(view.cdi().problems(), view.cdi().devices().size()));
    view.offer()
        .problems()
        .forEach(it -> all.add(Component.problem("offered devices", "incomplete", it)));
    return all;
  }

  private static Component configuration(Configuration.ActiveConfiguration standing) {
    String inForce =
        standing.since() == null
            ? "none is in force"
            : standing.name() + (standing.why() == null ? "" : " (" + standing.why() + ")");
    if (standing.problems().isEmpty() && standing.since() != null) {
      return Component.ok("configuration", "in force", inForce).since(standing.since());
    }
    String problems = String.join("; ", standing.problems());
    return Component.problem(
            "configuration",
            "refused",
            problems.isEmpty() ? inForce : inForce + "; the newest: " + problems)
        .since(standing.since());
  }

  private static Component cdi(List<String> problems, int devices) {
    String name = "CDI specifications";
    if (!problems.isEmpty()) {
      return Component.problem(name, "incomplete", String.join("; ", problems));
    }
    return devices == 0
        ? Component.info(name, "none", "")
        : Component.ok(name, "written", devices + " devices");
  }

  private static void resource(String name, ResourceState state, JsonWriter json) {
    json.beginObject()
        .member("name", name)
        .member("registered", state.registered())
        .optionalMember("watchedSince", state.watchedSince())
        .member("devices", state.devices())
        .member("healthy", state.healthy())
        .name("allocations")
        .beginObject();
    for (var outcome : AllocationOutcome.values()) {
      json.member(
          outcome.name().toLowerCase(Locale.ROOT),
          state.allocations().getOrDefault(outcome, LatencyHistogram.NONE).count());
    }
    json.endObject().optionalMember("lastError", state.lastError()).endObject();
  }

  private static void device(
      String resource,
      AdvertisedDevice portion,
      PluginStatus status,
      Optional<SnapshotView> sampled,
      JsonWriter json) {
    var device = portion.device();
    json.beginObject()
        .member("index", device.index().toString())
        .member("uuid", device.uuid())
        .optionalMember("profile", device.profile())
        .member("resource", resource)
        .optionalMember("replicas", portion.isShared() ? portion.replicas() : null);
    var condition = status.conditions().get(device.entity());
    String blocker = blocker(portion, status, condition);
    json.member("health", condition == null ? "unknown" : blocker == null ? "healthy" : "unhealthy")
        .optionalMember("reason", blocker);
    allocations(portion, status, sampled, json);
    json.endObject();
  }

  private static @Nullable String blocker(
      AdvertisedDevice portion, PluginStatus status, @Nullable Condition condition) {
    var blocker = status.view().blockers().get(portion.device().uuid());
    return switch (condition) {
      case null -> null;
      case Condition.Unhealthy(_, var text, _) -> text;
      case Condition.Healthy() when blocker != null -> blocker.text();
      case Condition.Healthy() ->
          portion.healthy() ? null : "the MIG layout of its GPU does not fit the MIG strategy";
    };
  }

  /** From the last sampling pass if it attributes devices, otherwise from the kubelet. */
  private static void allocations(
      AdvertisedDevice portion,
      PluginStatus status,
      Optional<SnapshotView> sampled,
      JsonWriter json) {
    Optional<SnapshotView> attributed =
        sampled.filter(shown -> !(shown.source() instanceof NotConfigured));
    if (attributed.isPresent()) {
      containers(attributed.get().snapshot().holdersOf(portion.device().entity()), json);
      return;
    }
    switch (status.held().orElse(null)) {
      case null -> json.member("allocationsUnknown", "the kubelet has not answered yet");
      case PodResourcesListing.Unsupported() ->
          json.member("allocationsUnknown", "the kubelet does not report them");
      case PodResourcesListing.Failed(_, var reason) -> json.member("allocationsUnknown", reason);
      case PodResourcesListing.Listed(var devices, _) ->
          containers(
              devices.stream()
                  .filter(it -> portion.ids().contains(it.id()))
                  .map(it -> new Holder(it.namespace(), it.pod(), it.container(), null))
                  .toList(),
              json);
    }
  }

  private static void containers(List<Holder> holders, JsonWriter json) {
    json.name("allocations").beginArray();
    for (Holder holder : new LinkedHashSet<>(holders)) {
      json.beginObject();
      SampledDevicesJson.container(holder.namespace(), holder.pod(), holder.container(), json);
      json.endObject();
    }
    json.endArray();
  }

  private static void node(PluginStatus status, JsonWriter json) {
    json.name("node").beginObject().member("simulated", status.simulated());
    status
        .check()
        .filter(_ -> !status.simulated())
        .ifPresent(
            check -> {
              json.member("checkedAt", check.at().toString()).name("checks").beginArray();
              for (var one : check.value().byUrgency()) {
                json.beginObject()
                    .member("check", one.check())
                    .member("outcome", one.outcome().kind().code())
                    .member("found", one.outcome().text())
                    .optionalMember("advice", advice(one.outcome()))
                    .endObject();
              }
              json.endArray();
            });
    json.endObject();
  }

  private static @Nullable String advice(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Problem(_, var advice) -> advice;
      case Outcome.Warning(_, var advice) -> advice;
      case Outcome.Undecided _, Outcome.Ok _, Outcome.NotApplicable _ -> null;
    };
  }
}

package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Claimed;
import io.gpureclaimer.reclaimer.cluster.Claimed.Devices;
import io.gpureclaimer.reclaimer.cluster.Claimed.Unread;
import io.gpureclaimer.reclaimer.cluster.Group;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Toleration;
import io.gpureclaimer.reclaimer.cluster.Waiting;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonReading;
import java.util.Optional;

/** A pod as JSON, and back: its members are the components of the records, by their names. */
final class PodJson {
  private PodJson() {}

  static JsonObject write(PodView pod) {
    return new JsonObject()
        .put("ref", ref(pod.ref()))
        .put("resourceVersion", pod.resourceVersion())
        .put("phase", pod.phase().name())
        .put("terminating", pod.terminating())
        .put("node", pod.node())
        .put("accelerators", accelerators(pod.accelerators()))
        .put("owner", pod.owner().map(ClusterJson::write))
        .map("annotations", pod.annotations(), text -> text)
        .put("priority", pod.priority())
        .put("untouchable", pod.untouchable())
        .put("waiting", pod.waiting().map(PodJson::waiting))
        .put("placement", placement(pod.placement()))
        .put("startedAt", pod.startedAt())
        .put("readyAt", pod.readyAt())
        .put("traits", traits(pod.traits()));
  }

  static PodView read(JsonReading object) {
    return new PodView(
        ref(object.object("ref")),
        object.text("resourceVersion"),
        PodPhase.valueOf(object.text("phase")),
        object.truth("terminating"),
        object.optional("node", object::text),
        accelerators(object.object("accelerators")),
        object.optional("owner", object::object).map(ClusterJson::readOwner),
        object.textMap("annotations"),
        object.integer("priority"),
        object.optional("untouchable", object::text),
        object.optional("waiting", object::object).map(PodJson::waiting),
        placement(object.object("placement")),
        object.optional("startedAt", object::instant),
        object.optional("readyAt", object::instant),
        traits(object.object("traits")));
  }

  private static JsonObject ref(PodRef ref) {
    return new JsonObject()
        .put("namespace", ref.namespace())
        .put("name", ref.name())
        .put("uid", ref.uid());
  }

  private static PodRef ref(JsonReading object) {
    return new PodRef(object.text("namespace"), object.text("name"), object.text("uid"));
  }

  private static JsonObject accelerators(Accelerators accelerators) {
    return new JsonObject()
        .put("gpus", accelerators.gpus())
        .map("slices", accelerators.slices(), count -> count)
        .put("claimed", accelerators.claimedDevices())
        .put("claimsUnread", unread(accelerators.claimed()))
        .put("others", accelerators.others());
  }

  private static Accelerators accelerators(JsonReading object) {
    return new Accelerators(
        object.integer("gpus"),
        object.map("slices", JsonReading::integer),
        claimed(object),
        object.truth("others"));
  }

  private static Optional<String> unread(Claimed claimed) {
    return switch (claimed) {
      case Devices _ -> Optional.empty();
      case Unread(var why) -> Optional.of(why);
    };
  }

  /** Older records know nothing of claims: such pods had other accelerators. */
  private static Claimed claimed(JsonReading object) {
    return object
        .optional("claimsUnread", object::text)
        .<Claimed>map(Unread::new)
        .orElseGet(() -> new Devices(object.optional("claimed", object::integer).orElse(0)));
  }

  private static JsonObject waiting(Waiting waiting) {
    return new JsonObject().put("since", waiting.since()).put("message", waiting.message());
  }

  private static Waiting waiting(JsonReading object) {
    return new Waiting(object.instant("since"), object.text("message"));
  }

  private static JsonObject placement(Placement placement) {
    return new JsonObject()
        .map("nodeSelector", placement.nodeSelector(), text -> text)
        .list("tolerations", placement.tolerations(), PodJson::toleration)
        .put("constrainedFurther", placement.constrainedFurther());
  }

  private static Placement placement(JsonReading object) {
    return new Placement(
        object.textMap("nodeSelector"),
        object.list("tolerations", PodJson::toleration),
        object.truth("constrainedFurther"));
  }

  private static JsonObject toleration(Toleration toleration) {
    return new JsonObject()
        .put("key", toleration.key())
        .put("anyValue", toleration.anyValue())
        .put("value", toleration.value())
        .put("effect", toleration.effect());
  }

  private static Toleration toleration(JsonReading object) {
    return new Toleration(
        object.text("key"), object.truth("anyValue"), object.text("value"), object.text("effect"));
  }

  private static JsonObject traits(PodTraits traits) {
    return new JsonObject()
        .map("labels", traits.labels(), text -> text)
        .put("interactive", traits.interactive())
        .list("scratch", traits.scratch(), text -> text)
        .put("group", traits.group().map(PodJson::group));
  }

  private static PodTraits traits(JsonReading object) {
    return new PodTraits(
        object.textMap("labels"),
        object.truth("interactive"),
        object.texts("scratch"),
        object.optional("group", object::object).map(PodJson::group));
  }

  private static JsonObject group(Group group) {
    return new JsonObject().put("key", group.key()).put("name", group.name());
  }

  private static Group group(JsonReading object) {
    return new Group(object.text("key"), object.text("name"));
  }
}

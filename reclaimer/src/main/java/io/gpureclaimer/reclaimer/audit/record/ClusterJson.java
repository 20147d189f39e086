package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonReading;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The workload's pods, owners and namespace as JSON, and back. */
final class ClusterJson {
  private ClusterJson() {}

  static JsonObject write(ClusterView cluster) {
    return new JsonObject()
        .list("pods", cluster.pods(), PodJson::write)
        .list(
            "namespaces", sorted(cluster.namespaces(), NamespaceView::name), ClusterJson::namespace)
        .list("owners", sorted(cluster.owners(), view -> view.owner().uid()), ClusterJson::owner);
  }

  static ClusterView read(JsonReading object) {
    return new ClusterView(
        object.list("pods", PodJson::read),
        byKey(object.list("namespaces", ClusterJson::namespace), NamespaceView::name),
        List.of(),
        byKey(object.list("owners", ClusterJson::ownerView), view -> view.owner().uid()));
  }

  private static JsonObject namespace(NamespaceView namespace) {
    return new JsonObject()
        .put("name", namespace.name())
        .map("annotations", namespace.annotations(), text -> text);
  }

  private static NamespaceView namespace(JsonReading object) {
    return new NamespaceView(object.text("name"), object.textMap("annotations"));
  }

  private static JsonObject owner(OwnerView view) {
    return new JsonObject()
        .put("owner", write(view.owner()))
        .put("namespace", view.namespace())
        .put("controller", view.controller().map(ClusterJson::write))
        .map("annotations", view.annotations(), text -> text);
  }

  private static OwnerView ownerView(JsonReading object) {
    return new OwnerView(
        readOwner(object.object("owner")),
        object.text("namespace"),
        object.optional("controller", object::object).map(ClusterJson::readOwner),
        object.textMap("annotations"));
  }

  static JsonObject write(Owner owner) {
    return new JsonObject()
        .put("apiVersion", owner.apiVersion())
        .put("kind", owner.kind())
        .put("name", owner.name())
        .put("uid", owner.uid());
  }

  static Owner readOwner(JsonReading object) {
    return new Owner(
        object.text("apiVersion"), object.text("kind"), object.text("name"), object.text("uid"));
  }

  private static <T> List<T> sorted(Map<String, T> views, Function<T, String> key) {
    return views.values().stream().sorted(Comparator.comparing(key)).toList();
  }

  private static <T> Map<String, T> byKey(List<T> views, Function<T, String> key) {
    return views.stream().collect(Collectors.toMap(key, view -> view));
  }
}

package io.gpureclaimer.exporter.counters.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import io.gpureclaimer.common.kubernetes.ClusterNotConfigured;
import io.gpureclaimer.common.kubernetes.ConnectionOptions;
import io.gpureclaimer.common.kubernetes.KubernetesConnection;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.exporter.counters.CountersSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counters file in the key {@code metrics} of a ConfigMap. Each {@link #reload} is one GET with a
 * client of its own, because reloads are rare.
 */
public final class CountersConfigMap implements CountersSource {
  private static final String KEY = "metrics";

  private final String namespace;
  private final String name;
  private final Supplier<KubernetesClient> connect;

  CountersConfigMap(String namespace, String name, Supplier<KubernetesClient> connect) {
    this.namespace = namespace;
    this.name = name;
    this.connect = connect;
  }

  /**
   * Sends no request yet.
   *
   * @param namespace of the ConfigMap
   * @param name of the ConfigMap
   * @param options how to find and speak to the API server
   */
  public static CountersConfigMap of(String namespace, String name, ConnectionOptions options) {
    return new CountersConfigMap(
        namespace,
        name,
        () ->
            KubernetesConnection.ofThisProcess()
                .open("gpu-exporter", options, RegisteredKinds.REGISTERED));
  }

  @Override
  public String name() {
    return "counters ConfigMap " + namespace + ":" + name;
  }

  @Override
  public Refresh<String> refresh() {
    return new Refresh.Unchanged<>();
  }

  @Override
  public Refresh<String> reload() {
    try (var client = connect.get()) {
      @Nullable ConfigMap found = client.configMaps().inNamespace(namespace).withName(name).get();
      return found == null ? new Refresh.Rejected<>("no such ConfigMap", null) : textOf(found);
    } catch (ClusterNotConfigured e) {
      return new Refresh.Rejected<>("cannot be read: " + e.getMessage(), e);
    } catch (KubernetesClientException e) {
      return new Refresh.Rejected<>("cannot be read: " + oneLine(e), e);
    }
  }

  private static Refresh<String> textOf(ConfigMap found) {
    return Optional.ofNullable(found.getData())
        .map(data -> data.get(KEY))
        .<Refresh<String>>map(Refresh.Loaded::new)
        .orElseGet(() -> new Refresh.Rejected<>("has no key " + KEY, null));
  }

  private static String oneLine(KubernetesClientException e) {
    String what = e.getCause() == null ? e.getMessage() : e.getCause().toString();
    return String.valueOf(what).strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}

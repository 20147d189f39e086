package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes down what a failed scenario leaves: its pods, their logs, and the events around them. */
record FailureDump(TestCluster cluster) {

  void write(Path folder) {
    KubernetesClient client = cluster.client();
    for (String namespace : cluster.namespaces()) {
      Path here = folder.resolve(namespace);
      write(
          here.resolve("events.yaml"),
          Serialization.asYaml(client.v1().events().inNamespace(namespace).list()));
      for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
        String name = pod.getMetadata().getName();
        write(here.resolve(name + ".yaml"), Serialization.asYaml(pod));
        write(here.resolve(name + ".log"), log(client, namespace, name));
      }
    }
  }

  private static String log(KubernetesClient client, String namespace, String pod) {
    try {
      return client.pods().inNamespace(namespace).withName(pod).getLog();
    } catch (KubernetesClientException e) {
      return "no log: " + e.getMessage();
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.time.Duration;

/** Makes JDK HTTP clients whose web sockets notice that the other side is gone. */
public final class HeartbeatClientFactory extends JdkHttpClientFactory {
  private final Duration interval;

  public HeartbeatClientFactory(Duration interval) {
    this.interval = interval;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new HeartbeatClientBuilder(super.createNewHttpClientBuilder(), interval);
  }
}

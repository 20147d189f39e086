package io.gpureclaimer.deviceplugin.kubelet;

import io.gpureclaimer.deviceplugin.kubelet.Listing.Failed;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;
import v1.Api.ListPodResourcesRequest;
import v1.PodResourcesListerGrpc;

/** The kubelet's {@code List}, with an answer that is read as it comes. */
final class ListCall implements Marshaller<Listing> {
  private final PodResourcesReader reader;

  private ListCall(PodResourcesReader reader) {
    this.reader = reader;
  }

  /**
   * @param resources which ones to keep the devices of, by name
   * @param drivers of dynamic resource allocation, which ones to keep the devices of, by name
   */
  static MethodDescriptor<ListPodResourcesRequest, Listing> of(
      Predicate<String> resources, Predicate<String> drivers) {
    var generated = PodResourcesListerGrpc.getListMethod();
    return generated.toBuilder(
            generated.getRequestMarshaller(),
            new ListCall(new PodResourcesReader(resources, drivers)))
        .build();
  }

  @Override
  public Listing parse(InputStream answer) {
    try {
      return reader.read(answer);
    } catch (IOException | IllegalArgumentException e) {
      return new Failed("malformed", "the answer cannot be understood: " + e.getMessage());
    }
  }

  @Override
  public InputStream stream(Listing value) {
    throw new IllegalStateException("we ask the kubelet, and never answer for it");
  }
}

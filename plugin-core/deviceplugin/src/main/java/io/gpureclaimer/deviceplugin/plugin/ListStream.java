package io.gpureclaimer.deviceplugin.plugin;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import v1beta1.Api.ListAndWatchResponse;

/**
 * One who watches the list: told all of it at once, and then the newest whenever it differs from
 * the last one told and there is room to send; what came and went in between is never told.
 *
 * <p>Locked because gRPC's threads and the one that offers meet here, and gRPC's end of a stream
 * takes one message at a time.
 */
final class ListStream {
  private final ServerCallStreamObserver<ListAndWatchResponse> watcher;
  private final Supplier<DeviceList> newest;
  private final Consumer<DeviceList> told;
  private @Nullable DeviceList last;
  private boolean ended;

  ListStream(
      ServerCallStreamObserver<ListAndWatchResponse> watcher,
      Supplier<DeviceList> newest,
      Consumer<DeviceList> told) {
    this.watcher = watcher;
    this.newest = newest;
    this.told = told;
  }

  /** Tells the newest list, if that is news and there is room. */
  synchronized void tell() {
    DeviceList list = newest.get();
    if (!ended && !list.equals(last) && (last == null || watcher.isReady())) {
      last = list;
      watcher.onNext(Messages.list(list));
      told.accept(list);
    }
  }

  /** Ends it from our side. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      watcher.onCompleted();
    }
  }

  /** The other side has ended it. */
  synchronized void lost() {
    ended = true;
  }
}

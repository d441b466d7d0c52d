-- The point of a picture that stays visible when it is cropped, from 0 to 1 from its left and top.

alter table media
  add column focal_x double precision check (focal_x between 0 and 1),
  add column focal_y double precision check (focal_y between 0 and 1),
  add check ((focal_x is null) = (focal_y is null));
